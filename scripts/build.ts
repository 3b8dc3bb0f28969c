/**
 * Builds what production runs: the pages (`dist/client`, `dist/server`), the operators' console
 * (`dist/admin`) and the programs (`dist/node`).
 *
 *   npm run build                  all of them
 *   npm run build -- --programs    only the programs
 */
import { build, createBuilder } from 'vite'
import { bundlePrograms } from './bundle.ts'

if (!process.argv.includes('--programs')) {
  const builder = await createBuilder({ configFile: 'app.config.ts' })
  await builder.buildApp()
  await build({ configFile: 'admin.config.ts' })
}
await bundlePrograms()
