import type { Rolldown } from 'vite'

type Modules = Rolldown.ChunkingContext

const react = /\/node_modules\/(?:react|react-dom|scheduler|use-sync-external-store)\//
/** Start's own part imports the store's routes, so it stands with them. */
const start = /\/node_modules\/@tanstack\/(?:react-start|start-)/
/** Of menus, dialogs and calendars every page needs a little and few need all: they are split by use. */
const parts = /\/node_modules\/@(?:ark-ui|zag-js|floating-ui|internationalized)\//

/** One look at the graph for each build. */
const neededBy = new WeakMap<Modules, Set<string>>()

/** Climbs from any module to the one that the browser begins with. */
function entryAbove(start: string, modules: Modules): string | undefined {
  const seen = new Set([start])
  for (const id of seen) {
    const module = modules.getModuleInfo(id)
    if (module?.isEntry) return id
    for (const above of [...(module?.importers ?? []), ...(module?.dynamicImporters ?? [])]) seen.add(above)
  }
  return undefined
}

/** All that the entry imports without waiting. */
function importedBy(entry: string | undefined, modules: Modules): Set<string> {
  const seen = new Set(entry ? [entry] : [])
  for (const id of seen) for (const below of modules.getModuleInfo(id)?.importedIds ?? []) seen.add(below)
  return seen
}

function fileOf(id: string, modules: Modules): 'react' | 'packages' | 'store' | null {
  const needed = neededBy.get(modules) ?? importedBy(entryAbove(id, modules), modules)
  if (needed.size > 0) neededBy.set(modules, needed)
  if (!needed.has(id) || parts.test(id)) return null
  if (react.test(id)) return 'react'
  return id.includes('/node_modules/') && !start.test(id) ? 'packages' : 'store'
}

/**
 * Joins what every page needs before anything can be done on it into three files (React, the other packages, the store's own part),
 * where they would be some forty: fewer requests, fewer lines in every page's head. What only some pages need is split as ever.
 */
export const firstLoadFiles: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [{ name: fileOf }],
}
