import type { output } from 'zod/mini'
import type { Ctx } from '#api/context.ts'
import {
  type FacetRow,
  facetsOfProducts,
  type ProductFilter,
  pageOfProducts,
  wordsOfTenant,
} from '#api/db/queries/search.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { ProductCard, SearchAnswer, searchQuery } from '#contract/catalog.ts'
import type { SortOption } from '#contract/enumerations.ts'
import { publicCard, withViewer } from './cards.ts'
import { listCategories } from './categories.ts'
import { createVocabulary } from './spelling.ts'
import { queryOf, wordsOf } from './tokens.ts'

type Search = output<typeof searchQuery>
type Found = Omit<SearchAnswer, 'corrected'>

/**
 * Search, filter, sort and page. What is the same for everybody is kept until the tenant's version moves; the asking person's own
 * part is added each time. Where the spelling finds nothing, the nearest known words are tried and named in `corrected`.
 */
export const searchProducts = async (ctx: Ctx, cache: TenantCache, search: Search): Promise<SearchAnswer> => {
  const typed = search.q?.trim() ?? ''
  let found = await find(ctx, cache, search, typed)
  let corrected: string | null = null
  if (found.total === 0 && typed !== '') {
    corrected = await correct(ctx, cache, typed)
    if (corrected) found = await find(ctx, cache, search, corrected)
    if (found.total === 0) corrected = null
  }
  return { ...found, items: await withViewer(ctx, found.items), corrected }
}

const find = async (ctx: Ctx, cache: TenantCache, search: Search, typed: string): Promise<Found> => {
  const words = typed === '' ? null : queryOf(typed)
  if (typed !== '' && words === null) return { ...nothing, page: search.page, size: search.size }
  const filter: ProductFilter = {
    words,
    category: search.category ?? null,
    kind: search.kind ?? null,
    access: search.access ?? null,
    tag: search.tag ?? null,
    priceMin: search.priceMin ?? null,
    priceMax: search.priceMax ?? null,
    durationMin: search.durationMin ?? null,
    durationMax: search.durationMax ?? null,
    video: search.video ?? false,
  }
  const items = await pageOf(ctx, cache, filter, search)
  const counted = await countsOf(ctx, cache, filter)
  return { ...counted, items, page: search.page, size: search.size }
}

const nothing: Omit<Found, 'page' | 'size'> = {
  items: [],
  total: 0,
  facets: { kind: [], access: [], category: [], tag: [] },
  priceRange: null,
}

const pageOf = (
  ctx: Ctx,
  cache: TenantCache,
  filter: ProductFilter,
  { sort, page, size }: { sort: SortOption; page: number; size: number },
): Promise<ProductCard[]> =>
  cache.get(ctx.customer, `products:${sort}:${page}:${size}:${JSON.stringify(filter)}`, async () => {
    const rows = await pageOfProducts(ctx.db, ctx.customer.id, filter, sort, { limit: size, offset: (page - 1) * size })
    return rows.map(publicCard)
  })

const countsOf = async (ctx: Ctx, cache: TenantCache, filter: ProductFilter) => {
  const categories = await listCategories(ctx, cache)
  const rows = await cache.get(ctx.customer, `facets:${JSON.stringify(filter)}`, () =>
    facetsOfProducts(ctx.db, ctx.customer.id, filter),
  )
  const names = new Map<string, string>(categories.map((category) => [category.id, category.name]))
  const facet = (name: FacetRow['facet'], label = (value: string): string | undefined => value) =>
    rows.flatMap(({ facet, value, count }) => {
      const said = label(value)
      return facet === name && said !== undefined ? [{ value, label: said, count }] : []
    })
  const price = rows.find((row) => row.facet === 'price')
  return {
    total: rows.find((row) => row.facet === 'total')?.count ?? 0,
    priceRange: price && price.low !== null && price.high !== null ? { min: price.low, max: price.high } : null,
    facets: {
      kind: facet('kind'),
      access: facet('access'),
      category: facet('category', (value) => names.get(value)),
      tag: facet('tag'),
    },
  }
}

const correct = async (ctx: Ctx, cache: TenantCache, typed: string): Promise<string | null> => {
  const words = wordsOf(typed)
  if (words.length === 0 || words.length > 6) return null
  const vocabulary = await cache.get(ctx.customer, 'vocabulary', async () =>
    createVocabulary(await wordsOfTenant(ctx.db, ctx.customer.id)),
  )
  const nearest = words.map((word) => (vocabulary.has(word) ? word : (vocabulary.nearest(word) ?? word)))
  const said = nearest.join(' ')
  return said === words.join(' ') ? null : said
}
