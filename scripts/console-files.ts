import type { Rolldown } from 'vite'

type Modules = Rolldown.ChunkingContext

/** The module that shows the sign-in form, and the one that shows the first page after it. */
const start = /\/admin\/main\.tsx$/
const pages = /\/admin\/router\.tsx$/

interface Needs {
  start: ReadonlySet<string>
  pages: ReadonlySet<string>
}

/** All static imports of a module, direct and indirect, and the module. */
function importedBy(module: string | undefined, modules: Modules): Set<string> {
  const seen = new Set(module === undefined ? [] : [module])
  for (const id of seen) for (const below of modules.getModuleInfo(id)?.importedIds ?? []) seen.add(below)
  return seen
}

/** The module whose path matches, found from any module through its importers. */
function moduleAbove(from: string, path: RegExp, modules: Modules): string | undefined {
  const seen = new Set([from])
  for (const id of seen) {
    if (path.test(id)) return id
    const module = modules.getModuleInfo(id)
    for (const above of [...(module?.importers ?? []), ...(module?.dynamicImporters ?? [])]) seen.add(above)
  }
  return undefined
}

/** The module graph is read once for each build. */
const needsOf = new WeakMap<Modules, Needs>()

function needs(id: string, modules: Modules): Needs | undefined {
  const main = needsOf.has(modules) ? undefined : moduleAbove(id, start, modules)
  if (main !== undefined) {
    const router = modules.getModuleInfo(main)?.dynamicallyImportedIds.find((each) => pages.test(each))
    needsOf.set(modules, { start: importedBy(main, modules), pages: importedBy(router, modules) })
  }
  return needsOf.get(modules)
}

function fileOf(id: string, modules: Modules): string | null {
  if (id.includes('rolldown/runtime')) return 'packages'
  const needed = needs(id, modules)
  if (needed?.start.has(id)) return id.includes('/node_modules/') ? 'packages' : 'start'
  if (needed?.pages.has(id)) return 'pages'
  // Pages import most of them, each of a few hundred bytes.
  return /\/admin\/features\/[\w-]+\/[\w-]+\.queries\.ts$/.test(id) ? 'queries' : null
}

/**
 * Joins what the sign-in form needs into two files (packages, and the console's own part), and what
 * the frame and the first page need beside it into one more. There would be fifty files otherwise,
 * which compress less well.
 */
export const consoleFiles: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [{ name: fileOf }],
}
