import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { type HeadContext, pageHead } from '~/platform/document/head'
import { isBeyond } from '~/platform/navigation/search-schema'
import { categoriesQuery } from '~/platform/shell/shell.functions'
import { type ProductList, productsQuery } from './products.functions'
import { filtersOf, type ProductsSearch } from './products.search'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** "Load more" adds pages below the one a list was opened at; going back shows them all again. */
    firstPage?: number
  }
}

/** The pages of a list that stand on the screen. */
export function shownPages(page = 1, firstPage = page): number[] {
  const from = Math.min(firstPage, page)
  return Array.from({ length: page - from + 1 }, (_, step) => from + step)
}

/** The same list at another page; the first has no number in its address. */
export const atPage = (search: ProductsSearch, page: number): ProductsSearch => {
  const { page: _, ...words } = search
  return page > 1 ? { ...words, page } : words
}

/** Loads what a list shows, side by side, and says whether the address names a page after the last one. */
export async function loadProducts(
  queryClient: QueryClient,
  list: ProductList,
  search: ProductsSearch,
  firstPage: number | undefined,
): Promise<{ beyond: boolean }> {
  const pages = shownPages(search.page, firstPage)
  const answers = await Promise.all(
    pages.map((page) => queryClient.ensureQueryData(productsQuery(list, atPage(search, page)))),
  )
  return { beyond: isBeyond(search.page, answers.at(-1)) }
}

/** An older address that names a category by its id, or by slugs it had before, leads for good to the one of its slugs. */
export function redirectFormerCategory(queryClient: QueryClient, to: `/${ProductList}`, search: ProductsSearch): void {
  const categories = queryClient.getQueryData(categoriesQuery.queryKey)?.items ?? []
  const old = search.category
  const named = old && categories.find(({ id, formerPaths }) => id === old || formerPaths?.includes(old))
  if (named) throw redirect({ to, search: { ...search, category: named.path }, statusCode: 301, replace: true })
}

/** A list is named by what was searched for or by its category; filtered lists are for people, not for search engines. */
export function productsHead(
  context: HeadContext,
  search: ProductsSearch,
  name: MessageDescriptor,
  { beyond }: { beyond: boolean } = { beyond: false },
) {
  const { q, category, sort } = search
  const categories = context.queryClient.getQueryData(categoriesQuery.queryKey)?.items ?? []
  const found = categories.find(({ path }) => path === category)
  const title = q ? context.i18n._(msg`Results for “${q}”`) : (found?.name ?? name)
  return pageHead(context, { title, noindex: beyond || Boolean(q || sort) || filtersOf(search) > (found ? 1 : 0) })
}
