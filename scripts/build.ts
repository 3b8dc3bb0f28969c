/**
 * Builds what production runs: the pages (`dist/client`, `dist/server`) and the programs
 * (`dist/node`).
 *
 *   npm run build                  both
 *   npm run build -- --programs    only the programs
 */
import { createBuilder } from 'vite'
import { bundlePrograms } from './bundle.ts'

if (!process.argv.includes('--programs')) {
  const builder = await createBuilder({ configFile: 'app.config.ts' })
  await builder.buildApp()
}
await bundlePrograms()
