import type { Rolldown } from 'vite'
import { type LaterRoutes, laterRoutesOf, treeOf } from './later-routes.ts'

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
  /\/node_modules\/seroval(?:-plugins)?\/|\/router-core\/dist\/esm\/ssr\/serializer\/(?!transformer)|\/getDefaultSerovalPlugins\b|\/client-rpc\/(?:serverFnFetcher|frame-decoder)\.js$|\/createServerFn\.js\?/

/**
 * Other parts that packages name in their index, and that some pages use: the file of those pages.
 */
const usedBySome: readonly [RegExp, string][] = [
  [/\/(?:query-core|react-query)\/.*\/(?:infiniteQueryObserver|use\w*InfiniteQuery)\b/, 'product-parts'],
  [/\/react-router\/dist\/esm\/useBlocker\b|\/router-core\/dist\/esm\/load-client\.js\?/, 'later'],
]

interface Needs {
  /** The modules that every page needs at its start. */
  byAll: Set<string>
  /** The pages that need each other module. */
  pages: Map<string, string[]>
  /** The modules of routes that the first script lacks, and which of these routes need them. */
  routes: Map<string, Set<LaterRoutes>>
  /** The modules of the parts that are hydrated later, and the name of their file. */
  later: Map<string, string>
  /**
   * The styles of all pages that a visitor without an account sees, apart from the player's, and of
   * a member's cart, orders and profile. Other pages load the routes of these, and would load a
   * file of their styles with them.
   */
  styles: Set<string>
}

/** Where the parts are that are hydrated later. */
const laterParts = /\/app\/(?:site\/layout\/later-parts|site\/document-head|routes\/__root)\.tsx/
/** Toasts are shown on every page, so their styles are in the first file. */
const toastStyles = /toast-area\.module\.css$/

/** The pages of guests are small and open one another. */
const signIn = /\/routes\/_guest\/login\./
const guestPage = /\/routes\/_guest\b/
/** The components of these are small parts of the file that they share. */
const inSharedFile = /\/routes\/(?:_guest\b.*|products\/index|videos)\.tsx\?.*tsr-split=component/

const product = /\/routes\/products\/\$code\.tsx/
const notices = /\/routes\/notices\//
const plans = /\/routes\/_planned\//
const productList = /\/routes\/(?:products\/index|videos)\.tsx/
const home = /\/routes\/index\.tsx/
const component = /\/app\/routes\/(.*)\.tsx\?.*tsr-split=component/

/** The module graph is read once for each build. */
const needsOf = new WeakMap<Modules, Needs>()

/** A module of at least this many pages is in the file of all pages with such modules. */
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

const isPersonal = (page: string) => laterRoutesOf(component.exec(page)?.[1] ?? '') === 'personal'

/** All static imports of a module, direct and indirect. */
function importedBy(start: string, modules: Modules): Set<string> {
  const seen = new Set([start])
  for (const id of seen) for (const below of modules.getModuleInfo(id)?.importedIds ?? []) seen.add(below)
  return seen
}

/** What a module hydrates later, as the pages that show it need the styles of it at once. */
const partsOf = (id: string, modules: Modules): string[] => {
  const module = modules.getModuleInfo(id)
  const hasParts = /(?:hydratedLater|shownByNavigation|loadedLater)\(/.test(module?.code ?? '')
  return module && hasParts ? [...module.dynamicallyImportedIds] : []
}

/** The file of what a page hydrates later. */
function fileOfParts(page: string): string {
  if (guestPage.test(page)) return 'forms'
  return home.test(page) ? 'later' : product.test(page) ? 'product-parts' : 'parts'
}

/** Pages of members come last, so that a file shared with them has the name of the other page. */
const byPath = (a: string, b: string) =>
  Number(withOwnStyles.test(a)) - Number(withOwnStyles.test(b)) || (a < b ? -1 : 1)

function needs(entry: string, modules: Modules): Needs {
  const byAll = importedBy(entry, modules)
  const routes = new Map<string, Set<LaterRoutes>>()
  for (const tree of [...byAll].flatMap((id) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])) {
    const those = treeOf(tree)
    for (const id of those ? importedBy(tree, modules) : [])
      if (those && !byAll.has(id)) routes.set(id, new Set([...(routes.get(id) ?? []), those]))
  }
  const components = new Set<string>()
  for (const id of [...byAll, ...routes.keys()])
    for (const page of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      if (component.test(page)) components.add(page)
  const styles = new Set<string>()
  const pages = new Map<string, string[]>()
  for (const page of [...components].sort(byPath))
    for (const id of importedBy(page, modules)) {
      if (!byAll.has(id)) pages.set(id, [...(pages.get(id) ?? []), page])
    }
  const later = new Map<string, string>()
  const addParts = (id: string, file: string) => {
    for (const part of partsOf(id, modules))
      for (const below of importedBy(part, modules)) {
        if (below.endsWith('.css')) styles.add(below)
        else if (!byAll.has(below) && !later.has(below)) later.set(below, file)
      }
  }
  for (const id of byAll) if (laterParts.test(id)) addParts(id, 'later')
  for (const isGuestPage of [false, true])
    for (const page of components)
      if (!withOwnStyles.test(page) && guestPage.test(page) === isGuestPage)
        for (const id of importedBy(page, modules)) {
          if (id.endsWith('.css')) styles.add(id)
          addParts(id, fileOfParts(page))
        }
  for (const page of components)
    for (const id of isPersonal(page) ? importedBy(page, modules) : []) {
      const parts = partsOf(id, modules).flatMap((part) => [...importedBy(part, modules)])
      for (const below of [id, ...parts]) if (below.endsWith('.css')) styles.add(below)
    }
  for (const [id, { length }] of pages) if (id.endsWith('.css') && length >= several) styles.add(id)
  return { byAll, pages, routes, later, styles }
}

/**
 * What few pages share is a file with the name of the first of them. A shared module imports only
 * what is shared by the same pages or more, so these files never import each other in a circle.
 */
function fileOfPages(pages: readonly string[]): string {
  const [first = ''] = pages
  if (guestPage.test(first)) return pages.some((page) => signIn.test(page)) ? 'login' : 'guest'
  if (productList.test(first)) return 'list'
  if (notices.test(first)) return 'notices'
  if (plans.test(first)) return 'public'
  // The file of the product's page is large, and the other pages do not need the rest of it.
  if (product.test(first)) return 'shop'
  return `with-${component.exec(first)?.[1]?.replaceAll(/\W+/g, '-') ?? 'page'}`
}

function fileOf(id: string, modules: Modules): string | null {
  if (id.includes('rolldown/runtime')) return 'packages'
  if (calls.test(id)) return 'later'
  if (parts.test(id) && !locale.test(id)) return null
  const entry = needsOf.has(modules) ? undefined : entryAbove(id, modules)
  if (entry !== undefined) needsOf.set(modules, needs(entry, modules))
  const needed = needsOf.get(modules)
  if (!needed) return null
  const { byAll, pages, routes, later, styles } = needed
  if (styles.has(id) || toastStyles.test(id)) return 'store'
  const other = usedBySome.find(([part]) => part.test(id))
  if (other) return other[1]
  if (byAll.has(id)) return id.includes('/node_modules/') && !start.test(id) ? 'packages' : 'store'
  const [first, ...others] = pages.get(id) ?? []
  const ofRoutes = routes.get(id)
  if (ofRoutes) {
    const isOfFirstRoute = (page: string) => laterRoutesOf(component.exec(page)?.[1] ?? '') === undefined
    if (id.endsWith('.css') || pages.get(id)?.some(isOfFirstRoute)) return 'store'
    if (ofRoutes.has('personal')) return ofRoutes.has('public') ? 'store' : 'personal'
    return ofRoutes.has('public') ? 'public' : 'members'
  }
  // Other pages load that file as well, and would load the contents of these pages with it.
  if ((isPersonal(id) || notices.test(id)) && partsOf(id, modules).length > 0) return null
  if ([first, ...others].every((page) => page && isPersonal(page))) return 'personal'
  const part = later.get(id)
  // What a page shares with them is not worth a file.
  if (part === 'later' && first) return 'store'
  if (part && part !== 'parts' && !first && !id.includes('/node_modules/')) return part
  if (!first || id.includes('/node_modules/')) return null
  if (others.length + 1 >= several) {
    const isNeededBy = (page: RegExp) => [first, ...others].some((one) => page.test(one))
    // Nearly all pages show cards.
    if (isNeededBy(home) || (isNeededBy(product) && isNeededBy(productList))) return 'store'
    if (isNeededBy(product)) return 'shop'
    return withOwnStyles.test(first) ? 'account' : 'pages'
  }
  return others.length > 0 || inSharedFile.test(id) ? fileOfPages([first, ...others]) : null
}

/**
 * Joins the modules that every page needs at its start into two files (packages, and the store's
 * own part), those of several pages into two more, and what few pages share into a file for each
 * first one. Otherwise there would be some sixty files: more requests, and more lines in every
 * page's head. The styles of nearly all pages are one file.
 */
export const firstLoadFiles: Rolldown.CodeSplittingOptions = {
  includeDependenciesRecursively: false,
  groups: [{ name: fileOf }],
}
