import type { Rolldown } from 'vite'

type Modules = Rolldown.ChunkingContext

/** TanStack Start's own part imports the store's routes, so it is in their file. */
const start = /\/node_modules\/@tanstack\/(?:react-start|start-)/
/**
 * Every page needs a small part of menus, dialogs and calendars, and few need all: they are split
 * by use.
 */
const parts = /\/node_modules\/@(?:ark-ui|zag-js|floating-ui|internationalized)\//

/** The text direction, which the root sets for all of them, and its imports. */
const locale =
  /\/@ark-ui\/react\/dist\/(?:providers\/locale|utils\/create-context)\b|\/@zag-js\/(?:utils\/dist\/guard|i18n-utils\/dist\/is-rtl)\b/

/** Packages name these in their index, and use them for calls alone (`lazy-calls.ts`). */
const calls =
  /\/node_modules\/seroval(?:-plugins)?\/|\/router-core\/dist\/esm\/ssr\/serializer\/(?!transformer)|\/getDefaultSerovalPlugins\b/

interface Needs {
  /** The modules that every page needs at its start. */
  byAll: Set<string>
  /** Those that several pages need. */
  bySome: Set<string>
  /** The styles of all pages that a visitor without an account sees, apart from the player's. */
  styles: Set<string>
}

/** The module graph is read once for each build. */
const needsOf = new WeakMap<Modules, Needs>()

/** A module of at least this many pages is loaded with the first of them. */
const several = 4

/** The entry module of the browser, found from any module through its importers. */
function entryAbove(start: string, modules: Modules): string | undefined {
  const seen = new Set([start])
  for (const id of seen) {
    const module = modules.getModuleInfo(id)
    if (module?.isEntry) return id
    for (const above of [...(module?.importers ?? []), ...(module?.dynamicImporters ?? [])]) seen.add(above)
  }
  return undefined
}

/** Pages of members and of the player, whose styles are loaded with them. */
const withOwnStyles = /\/routes\/_member\/|\.(?:watch|preview)\.tsx/

/** All static imports of a module, direct and indirect. */
function importedBy(start: string, modules: Modules): Set<string> {
  const seen = new Set([start])
  for (const id of seen) for (const below of modules.getModuleInfo(id)?.importedIds ?? []) seen.add(below)
  return seen
}

function needs(entry: string, modules: Modules): Needs {
  const byAll = importedBy(entry, modules)
  const pages = new Set<string>()
  for (const id of byAll)
    for (const page of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      if (/\/app\/routes\/.*tsr-split=component/.test(page)) pages.add(page)
  const styles = new Set<string>()
  const pagesWith = new Map<string, number>()
  for (const page of pages)
    for (const id of importedBy(page, modules)) {
      if (!byAll.has(id)) pagesWith.set(id, (pagesWith.get(id) ?? 0) + 1)
      if (id.endsWith('.css') && !withOwnStyles.test(page)) styles.add(id)
    }
  const bySome = new Set([...pagesWith].filter(([, pages]) => pages >= several).map(([id]) => id))
  for (const id of bySome) if (id.endsWith('.css')) styles.add(id)
  return { byAll, bySome, styles }
}

function fileOf(id: string, modules: Modules): 'packages' | 'store' | 'pages' | null {
  if (id.includes('rolldown/runtime')) return 'packages'
  if (calls.test(id) || (parts.test(id) && !locale.test(id))) return null
  const entry = needsOf.has(modules) ? undefined : entryAbove(id, modules)
  if (entry !== undefined) needsOf.set(modules, needs(entry, modules))
  const known = needsOf.get(modules)
  if (known?.styles.has(id)) return 'store'
  if (known?.bySome.has(id) && !id.includes('/node_modules/')) return 'pages'
  if (!known?.byAll.has(id)) return null
  return id.includes('/node_modules/') && !start.test(id) ? 'packages' : 'store'
}

/**
 * Joins the modules that every page needs at its start into two files (packages, and the store's
 * own part), and those of several pages into a third. Otherwise there would be some sixty files:
 * more requests, and more lines in every page's head. Modules of few pages are split as usual. The
 * styles of nearly all pages are one file.
 */
export const firstLoadFiles: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [{ name: fileOf }],
}
