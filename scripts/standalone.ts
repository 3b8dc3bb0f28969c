import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagesWithFiles } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Where the build puts it. */
export const standaloneFolder = join(root, '.output/node')

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const readManifest = (place: string): Manifest => JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))

/** Returns the folder of a package as `from` finds it; undefined if it is not installed. */
const placeOf = (name: string, from: string): string | undefined =>
  (createRequire(join(from, 'package.json')).resolve.paths(name) ?? [])
    .map((modules) => join(modules, name))
    .find((place) => existsSync(join(place, 'package.json')))

/** Adds a package with all that it needs at run time to `places`. */
const addPackage = (name: string, from: string, places: Set<string>): void => {
  const place = placeOf(name, from)
  // An optional package of another platform.
  if (!place || places.has(place)) return
  places.add(place)
  const { dependencies, optionalDependencies } = readManifest(place)
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) addPackage(needed, place, places)
}

/** The packages that the programs do not contain, with theirs. */
const packagePlaces = () => {
  const places = new Set<string>()
  for (const name of Object.keys(readManifest(root).dependencies ?? {}))
    if (packagesWithFiles.test(name)) addPackage(name, root, places)
  return places
}

/**
 * A launcher states what it needs itself, because an old Node cannot even read the programs.
 */
const launcherOf = (program: string, isService: boolean) => `import module from 'node:module'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(\`Marquee needs Node 24 or newer; this is \${process.versions.node}.\`)
  process.exit(1)
}
${isService ? "process.env.NODE_ENV = 'production'\n" : ''}module.enableCompileCache(fileURLToPath(new URL('./dist/compiled', import.meta.url)))
await import('./dist/node/${program}.js')
`

/** What a store that runs in the folder keeps there: its settings, and its data by default. */
const installationNames = new Set(['.env', 'data'])

const flags = 'MALLOC_ARENA_MAX=2 exec node --max-semi-space-size=8 --heap-growing-percent=70'

/**
 * Copies what production runs into a folder, with the packages and files that it needs: it runs
 * with Node alone, on the platform of this build. Replaces an earlier build. Settings and data of a
 * store that runs there stay.
 *
 * @param programs The files of `dist/node`
 */
export const writeStandalone = (folder: string, programs: readonly string[]): void => {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (!installationNames.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
  const copy = (path: string, filter: (source: string) => boolean = () => true) =>
    cpSync(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true, filter })
  for (const part of ['admin', 'client', 'server']) copy(`dist/${part}`)
  for (const file of programs) if (file !== 'demo.js') copy(`dist/node/${file}`)
  // Programs find texts, migrations and styles by the places of their sources.
  copy('api', (source) => !source.endsWith('.ts'))
  for (const place of packagePlaces()) copy(relative(root, place))
  for (const file of ['.env.example', 'LICENSE']) copyFileSync(join(root, file), join(folder, file))
  writeFileSync(join(folder, 'server.mjs'), launcherOf('service', true))
  for (const program of ['worker', 'cli']) writeFileSync(join(folder, `${program}.mjs`), launcherOf(program, false))
  const { name, version } = readManifest(root)
  const scripts = { start: `${flags} server.mjs`, worker: `${flags} worker.mjs`, cli: 'exec node cli.mjs' }
  const manifest = { name, version, private: true, type: 'module', engines: { node: '>=24' }, scripts }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
