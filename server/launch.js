/**
 * Runs a program from the build: `node server/launch.js service|worker|demo|cli [arguments]`.
 * Development and commands without a recent build run from the sources.
 *
 * JavaScript: the first TypeScript file that Node loads costs 20 MB of memory, for its compiler.
 */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

/** @type {Record<string, string | undefined>} */
const sources = { service: './main.ts', worker: './worker.ts', demo: './demo.ts', cli: '../cli/main.ts' }

/** Builds what the demo lacks, after a look at its port, since a build takes a while. */
const buildForDemo = async () => {
  const { buildWhatIsStale } = await import('./build.ts')
  const { createProgress } = await import('./progress.ts')
  const progress = createProgress()
  await buildWhatIsStale(async () => {
    const [{ readConfig }, { requireFreePort }] = await Promise.all([
      import('#api/config.ts'),
      import('./open-port.ts'),
    ])
    await requireFreePort(readConfig(process.env))
    progress.step('Building the storefront', 20)
  })
  progress.done()
}

/**
 * @param {string} program
 * @param {string} source
 * @param {readonly string[]} flags
 */
const fileOf = async (program, source, flags) => {
  const sourceFile = new URL(source, import.meta.url)
  if (flags.includes('--dev')) return sourceFile
  if (program === 'cli' && (await import('./build.ts')).isBuildStale('programs')) return sourceFile
  if (program === 'demo' && !flags.includes('--no-build')) await buildForDemo()
  const built = new URL(`../dist/node/${program}.js`, import.meta.url)
  if (!existsSync(built)) throw new Error('Marquee has not been built yet. Run npm run build first.')
  // Compiled code of an earlier start is read instead of compiled again.
  module.enableCompileCache(fileURLToPath(new URL('../dist/compiled', import.meta.url)))
  return built
}

const minimumNode = 24
if (Number.parseInt(process.versions.node, 10) < minimumNode) {
  const command = ['npm run node --', 'server/launch.js', ...process.argv.slice(2)].join(' ')
  console.error(`Marquee needs Node.js ${minimumNode}, and this is ${process.version}. Start it with: ${command}`)
  process.exit(1)
}

const [, , name = '', ...flags] = process.argv
const source = Object.hasOwn(sources, name) ? sources[name] : undefined
if (!source) throw new Error(`There is no program ${name}. Use one of: ${Object.keys(sources).join(', ')}`)
// Further processes of the program are started in the same way.
if (cluster.isPrimary) cluster.setupPrimary({ args: process.argv.slice(2) })
// The program reads its own arguments.
process.argv.splice(2, 1)
const file = await fileOf(name, source, flags).catch((/** @type {Error} */ error) => {
  console.error(error.message)
  process.exit(1)
})
await import(file.href)
