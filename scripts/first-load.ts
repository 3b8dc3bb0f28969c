import type { Rolldown } from 'vite'

type Modules = Rolldown.ChunkingContext

const react = /\/node_modules\/(?:react|react-dom|scheduler|use-sync-external-store)\//
/** TanStack Start's own part imports the store's routes, so it is in their file. */
const start = /\/node_modules\/@tanstack\/(?:react-start|start-)/
/**
 * Every page needs a small part of menus, dialogs and calendars, and few need all: they are split
 * by use.
 */
const parts = /\/node_modules\/@(?:ark-ui|zag-js|floating-ui|internationalized)\//

/** The text direction, which the root sets for all of them, and its imports. */
const locale = /\/@ark-ui\/react\/dist\/(?:providers\/locale|utils\/create-context)\b/

/** The modules that every page needs at its start, and those that several pages need. */
interface Needs {
  byAll: Set<string>
  bySome: Set<string>
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
  const pagesWith = new Map<string, number>()
  for (const page of pages)
    for (const id of importedBy(page, modules)) if (!byAll.has(id)) pagesWith.set(id, (pagesWith.get(id) ?? 0) + 1)
  return { byAll, bySome: new Set([...pagesWith].filter(([, pages]) => pages >= several).map(([id]) => id)) }
}

function fileOf(id: string, modules: Modules): 'react' | 'packages' | 'store' | 'pages' | null {
  if (parts.test(id) && !locale.test(id)) return null
  const entry = needsOf.has(modules) ? undefined : entryAbove(id, modules)
  if (entry !== undefined) needsOf.set(modules, needs(entry, modules))
  const known = needsOf.get(modules)
  if (known?.bySome.has(id) && !id.includes('/node_modules/')) return 'pages'
  if (!known?.byAll.has(id)) return null
  if (react.test(id)) return 'react'
  return id.includes('/node_modules/') && !start.test(id) ? 'packages' : 'store'
}

/**
 * Joins the modules that every page needs at its start into three files (React, other packages, the
 * store's own part), and those of several pages into a fourth. Otherwise there would be some sixty
 * files: more requests, and more lines in every page's head. Modules of few pages are split as
 * usual.
 */
export const firstLoadFiles: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [{ name: fileOf }],
}
