/**
 * Runs a program from the build: `node server/launch.ts service|worker|demo|cli [arguments]`.
 * Development and commands without a recent build run from the sources.
 */
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const sources = { service: './main.ts', worker: './worker.ts', demo: './demo.ts', cli: '../cli/main.ts' } as const
type Program = keyof typeof sources

const isProgram = (name: string | undefined): name is Program => name !== undefined && Object.hasOwn(sources, name)

/** Builds what the demo lacks, after a look at its port, since a build takes a while. */
const buildForDemo = async () => {
  const { buildWhatIsStale } = await import('./build.ts')
  const { createProgress } = await import('./progress.ts')
  const progress = createProgress()
  await buildWhatIsStale(async () => {
    const [{ readConfig }, { requireFreePort }] = await Promise.all([import('#api/config.ts'), import('./listen.ts')])
    await requireFreePort(readConfig(process.env))
    progress.step('Building the storefront', 20)
  })
  progress.done()
}

const fileOf = async (program: Program, flags: readonly string[]): Promise<URL> => {
  const source = new URL(sources[program], import.meta.url)
  if (flags.includes('--dev')) return source
  if (program === 'cli' && (await import('./build.ts')).isBuildStale('programs')) return source
  if (program === 'demo' && !flags.includes('--no-build')) await buildForDemo()
  const built = new URL(`../dist/node/${program}.js`, import.meta.url)
  if (!existsSync(built)) throw new Error('Marquee has not been built yet. Run npm run build first.')
  // Compiled code of an earlier start is read instead of compiled again.
  enableCompileCache(fileURLToPath(new URL('../dist/compiled', import.meta.url)))
  return built
}

const [, , name, ...flags] = process.argv
if (!isProgram(name)) throw new Error(`There is no program ${name}. Use one of: ${Object.keys(sources).join(', ')}`)
// Further processes of the program are started in the same way.
if (cluster.isPrimary) cluster.setupPrimary({ args: process.argv.slice(2) })
// The program reads its own arguments.
process.argv.splice(2, 1)
const file = await fileOf(name, flags).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})
await import(file.href)
