import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { type HeadContext, pageHead } from '~/platform/document/head'
import { isPastLastPage } from '~/platform/navigation/search-schema'
import { loadedCategoryTree } from '~/platform/shell/categories'
import { loadCategoryPath } from '~/platform/shell/shell.functions'
import { type ProductList, productsQuery } from './products.functions'
import { filtersOf, type ProductsSearch, productsSearch } from './products.search'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /**
     * The page a list was opened at. "Load more" adds pages after it, which going back restores.
     */
    firstPage?: number
  }
}

/** The pages of a list that are shown. */
export function shownPages(page = 1, firstPage = page): number[] {
  const from = Math.min(firstPage, page)
  return Array.from({ length: page - from + 1 }, (_, step) => from + step)
}

/** The list's search at another page. The first page has no number in the URL. */
export const atPage = (search: ProductsSearch, page: number): ProductsSearch => {
  const { page: _, ...params } = search
  return page > 1 ? { ...params, page } : params
}

/** Loads the shown pages of a list. `pastLastPage`: the URL names a page after the last one. */
async function loadProducts(
  queryClient: QueryClient,
  list: ProductList,
  search: ProductsSearch,
  firstPage: number | undefined,
): Promise<{ pastLastPage: boolean }> {
  const pages = shownPages(search.page, firstPage)
  const answers = await Promise.all(
    pages.map((page) => queryClient.ensureQueryData(productsQuery(list, atPage(search, page)))),
  )
  return { pastLastPage: isPastLastPage(search.page, answers.at(-1)) }
}

/** Redirects a URL with a category's id or former path to the current path. */
async function redirectFormerCategory(
  queryClient: QueryClient,
  to: `/${ProductList}`,
  search: ProductsSearch,
): Promise<void> {
  const { byPath } = loadedCategoryTree(queryClient)
  const old = search.category
  if (!old || byPath.has(old)) return
  const category = isId.test(old)
    ? await loadCategoryPath(old)
    : [...byPath.values()].find(({ formerPaths }) => formerPaths?.includes(old))?.path
  if (category) throw redirect({ to, search: { ...search, category }, statusCode: 301, replace: true })
}

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The head of a list, titled by search or category. Filtered and sorted lists are not indexed. */
function productsHead(
  context: HeadContext,
  search: ProductsSearch,
  name: MessageDescriptor,
  { pastLastPage }: { pastLastPage: boolean } = { pastLastPage: false },
) {
  const { q, category, sort } = search
  const node = loadedCategoryTree(context.queryClient).byPath.get(category ?? '')
  const title = q ? context.i18n._(msg`Results for “${q}”`) : (node?.name ?? name)
  return pageHead(context, {
    title,
    noindex: pastLastPage || Boolean(q || sort) || filtersOf(search) > (node ? 1 : 0),
  })
}

/** The route options that the two lists share. */
export const productListRoute = (list: ProductList, title: MessageDescriptor) => ({
  validateSearch: productsSearch,
  beforeLoad: ({ context, search }: { context: { queryClient: QueryClient }; search: ProductsSearch }) =>
    redirectFormerCategory(context.queryClient, `/${list}`, search),
  loaderDeps: ({ search }: { search: ProductsSearch }) => productsSearch.parse(search),
  loader: ({ context, deps, location }: ListLoader) =>
    loadProducts(context.queryClient, list, deps, location.state.firstPage),
  head: ({ match, loaderData }: ListHead) => productsHead(match.context, match.search, title, loaderData),
})

interface ListLoader {
  context: { queryClient: QueryClient }
  deps: ProductsSearch
  location: ParsedLocation
}

interface ListHead {
  match: { context: HeadContext; search: ProductsSearch }
  loaderData?: { pastLastPage: boolean } | undefined
}
