/**
 * Builds what production runs: the pages (`dist/client`, `dist/server`), the operators' console
 * (`dist/admin`) and the programs (`dist/node`), and packs them for a target into
 * `.output/<target>`.
 *
 *   npm run build                          the whole for Node
 *   npm run build -- --target cloudflare   the storefront for a platform of functions
 *   npm run build -- --target deno --pack  packs the pages that are already built
 *   npm run build -- --programs            only the programs, not packed
 */
import { parseArgs } from 'node:util'
import { build, createBuilder } from 'vite'
import { bundlePrograms } from './bundle.ts'
import { standaloneFolder, writeStandalone } from './standalone.ts'
import { isTarget, packFunction, targets } from './targets.ts'

const { values } = parseArgs({
  options: { target: { type: 'string' }, pack: { type: 'boolean' }, programs: { type: 'boolean' } },
})
const { target = 'node', pack = false, programs = false } = values
if (!isTarget(target)) {
  console.error(`There is no target ${target}. Use one of: ${targets.join(', ')}.`)
  process.exit(1)
}

const buildPages = async () => {
  const builder = await createBuilder({ configFile: 'app.config.ts' })
  await builder.buildApp()
  await build({ configFile: 'admin.config.ts' })
}

if (!programs && !pack) await buildPages()
if (target !== 'node') console.log(await packFunction(target))
else {
  const files = await bundlePrograms()
  if (!programs) {
    writeStandalone(standaloneFolder, files)
    console.log('Built for Node: npm start, or node server.mjs in .output/node or a copy of it.')
  }
}
