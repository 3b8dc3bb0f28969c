import type { output } from 'zod/mini'
import { categoriesNamed, findCategory, listCategories } from '#api/modules/catalog/categories.ts'
import {
  type MatchingProducts,
  matchProducts,
  readSearchWords,
  readTagLabels,
} from '#api/modules/catalog/product-index.queries.ts'
import type { ProductLists } from '#api/modules/catalog/product-lists.queries.ts'
import type { ProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { cardsById, countOnSale, productIdsOf, productsOnSale } from '#api/modules/catalog/products.queries.ts'
import type { Counts, ProductIndexFilter } from '#api/modules/catalog/query-product-index.ts'
import { createVocabulary, queryOf, queryWords } from '#api/modules/catalog/tokens.ts'
import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import type { Ctx } from '#api/platform/context.ts'
import { pick } from '#api/platform/elements.ts'
import { offeredLocales, translatedLocale } from '#api/platform/i18n/translations.ts'
import type { ProductCard, SearchAnswer, SitemapAnswer, SuggestAnswer, searchQuery } from '#contract/catalog.ts'
import { productAccess, productKind } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import { captionMatchesFor, findCaptionMatches, lineOf } from './caption-search.ts'
import { cardsInOrder, inOrder, publicCard, readerOf, withPricesOnSale } from './product-cards.ts'

type Search = output<typeof searchQuery>

export interface CatalogStores {
  cache: TenantCache
  productIndexes: ProductIndexes
}

const tagsShown = 30

/**
 * Searches, filters, sorts and pages products. The database matches the words, the tenant's
 * index does the rest; prices and titles are read from the database. If the words match
 * nothing, the nearest known words are searched and returned in `corrected`.
 */
export const searchProducts = async (ctx: Ctx, stores: CatalogStores, search: Search): Promise<SearchAnswer> => {
  const { ids, spoken, ...found } = await stores.cache.get(ctx, `search:${JSON.stringify(search)}`, () =>
    findProducts(ctx, stores, search),
  )
  const seesWhatAllSee = readerOf(ctx) === null && !ctx.previewed
  const items = await (seesWhatAllSee ? cardsForAll(ctx, stores.cache, ids) : cardsInOrder(ctx, ids))
  return { ...found, items, captionMatches: await captionMatchesFor(ctx, spoken) }
}

/**
 * Returns cards like `cardsInOrder` for visitors without a state of their own. Lists share each
 * card.
 */
const cardsForAll = async (ctx: Ctx, cache: TenantCache, ids: readonly ProductId[]): Promise<ProductCard[]> => {
  const keyOf = (id: ProductId) => `card:${id}`
  const missing = ids.filter((id) => !cache.known(ctx, keyOf(id)))
  const read = cardsInOrder(ctx, missing).then((cards) => new Map(cards.map((card) => [card.id, card])))
  const cards = await Promise.all(ids.map((id) => cache.get(ctx, keyOf(id), async () => (await read).get(id))))
  return cards.filter((card) => card !== undefined)
}

/**
 * Whether the words of a search find nothing. A filter or a later page may be the reason why
 * nothing is found, so that such searches do not count.
 */
export const isMissed = (
  { q, page, sort: _, size: __, ...filters }: Search,
  { total, captionMatches }: Pick<SearchAnswer, 'total' | 'captionMatches'>,
): boolean =>
  Boolean(q) &&
  page === 1 &&
  total === 0 &&
  captionMatches.length === 0 &&
  Object.values(filters).every((filter) => filter === undefined)

/** Finds the part of the answer that does not depend on the viewer: products, count and facets. */
const findProducts = async (ctx: Ctx, stores: CatalogStores, search: Search) => {
  const lists = await stores.productIndexes.listsOf(ctx)
  const typed = search.q ?? ''
  const filter = filterOf(search, await categoryOf(ctx, stores, search))
  const now = ctx.clock.now().getTime() / 1000
  const { selection, corrected } =
    typed === '' ? { selection: null, corrected: null } : await matchesOrCorrected(ctx, stores, lists, typed)
  const counts = await lists.count(selection, filter, now)
  const { page, size } = search
  const ids = await lists.page(selection, filter, search.sort, { offset: (page - 1) * size, limit: size, now })
  const facets = await facetsOf(ctx, stores, counts)
  const spoken = page > 1 || typed === '' ? [] : await findSpoken(ctx, lists, filter, [typed, corrected])
  return { ids, spoken, total: counts.total, page, size, facets, priceRange: counts.price, corrected }
}

/** Searches captions for the typed words, then for the corrected ones. */
const findSpoken = async (
  ctx: Ctx,
  lists: ProductLists,
  filter: ProductIndexFilter,
  spellings: readonly (string | null)[],
) => {
  for (const words of spellings) {
    const spoken = words === null ? [] : await findCaptionMatches(ctx, lists, filter, words)
    if (spoken.length > 0) return spoken
  }
  return []
}

/**
 * Returns the id of the requested category; null without one, UNKNOWN where the store has no such
 * category.
 */
const categoryOf = async (
  ctx: Ctx,
  { cache }: CatalogStores,
  { category }: Search,
): Promise<ProductIndexFilter['category']> =>
  category === undefined ? null : (findCategory(await listCategories(ctx, cache), category)?.id ?? 'UNKNOWN')

const filterOf = (search: Search, category: ProductIndexFilter['category']): ProductIndexFilter => ({
  category,
  kind: search.kind ?? null,
  access: search.access ?? null,
  tag: search.tag ?? null,
  priceMin: search.priceMin ?? null,
  priceMax: search.priceMax ?? null,
  durationMin: search.durationMin ?? null,
  durationMax: search.durationMax ?? null,
  video: search.video ?? false,
})

/** Returns the products that match the typed words. */
const matchesOf = async (ctx: Ctx, { productIndexes }: CatalogStores, typed: string): Promise<MatchingProducts> => {
  const words = queryOf(ctx.customer.id, typed)
  if (words === null) return { ordinals: new Uint32Array(), ranks: new Uint32Array() }
  return productIndexes.matches(ctx.customer, words, () => matchProducts(ctx.db, ctx.customer.id, words))
}

/** Like `matchesOf`. If nothing in the lists matches, searches the nearest known words. */
const matchesOrCorrected = async (ctx: Ctx, stores: CatalogStores, lists: ProductLists, typed: string) => {
  const matches = await matchesOf(ctx, stores, typed)
  if (await lists.haveAny(matches)) return { selection: { matches }, corrected: null }
  const corrected = await correct(ctx, stores, typed)
  const others = corrected === null ? null : await matchesOf(ctx, stores, corrected)
  return others && (await lists.haveAny(others))
    ? { selection: { matches: others }, corrected }
    : { selection: { matches }, corrected: null }
}

/** Returns cards in the given order, independent of the viewer. */
export const readCards = async (ctx: Ctx, ids: readonly ProductId[]): Promise<ProductCard[]> => {
  if (ids.length === 0) return []
  const rows = await withPricesOnSale(ctx, await cardsById(ctx.db, ctx.customer.id, ids, translatedLocale(ctx)))
  return inOrder(
    ids,
    rows.map((row) => publicCard(ctx, row)),
  )
}

/**
 * Returns the products on sale of a home page's section, in its order. Empty where the home page
 * has no such section, or hides it.
 */
export const chosenProducts = async (ctx: Ctx, stores: CatalogStores, id: string): Promise<ProductCard[]> => {
  const section = ctx.customer.settings.homeSections?.find(
    (each) => each.kind === 'PRODUCTS' && each.id === id && !each.hidden,
  )
  const codes = section?.kind === 'PRODUCTS' ? section.productCodes : []
  if (codes.length === 0) return []
  const idsOf = await productIdsOf(ctx.db, ctx.customer.id, codes)
  const ids = codes.flatMap((code) => idsOf.get(code) ?? [])
  const lists = await stores.productIndexes.listsOf(ctx)
  const now = ctx.clock.now().getTime() / 1000
  const page = { offset: 0, limit: ids.length, now }
  const onSale = new Set(await lists.page({ productIds: ids }, anyProduct, 'sort,DESC', page))
  return cardsInOrder(
    ctx,
    ids.filter((each) => onSale.has(each)),
  )
}

/** Facets of a fixed set of values have its order. */
const inOrderOf = (options: readonly string[], counts: Map<string, number>) =>
  new Map(options.flatMap((value) => (counts.has(value) ? [[value, counts.get(value) ?? 0] as const] : [])))

const facetsOf = async (ctx: Ctx, { cache }: CatalogStores, counts: Counts): Promise<SearchAnswer['facets']> => {
  const categories = await listCategories(ctx, cache)
  const plain = (facet: Map<string, number>) => [...facet].map(([value, count]) => ({ value, label: value, count }))
  return {
    kind: plain(inOrderOf(productKind.options, counts.kind)),
    access: plain(inOrderOf(productAccess.options, counts.access)),
    duration: plain(counts.duration),
    category: categories.flatMap(({ id, name, languages }) => {
      const count = counts.category.get(id)
      return count
        ? [{ value: id, label: name, count, ...(languages?.name && { languages: { label: languages.name } }) }]
        : []
    }),
    tag: await labelTags(
      ctx,
      cache,
      plain(counts.tag)
        .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
        .slice(0, tagsShown),
    ),
  }
}

/** Labels tags in the reader's language, as the products name them. */
const labelTags = async (ctx: Ctx, cache: TenantCache, tags: SearchAnswer['facets']['tag']) => {
  const locale = translatedLocale(ctx)
  if (locale === null || tags.length === 0) return tags
  const labels = await cache.get(ctx, 'tag-labels', () => readTagLabels(ctx.db, ctx.customer.id, locale))
  const fallback = { languages: { label: ctx.customer.settings.base.locale } }
  return tags.map((tag) => {
    const label = labels.get(tag.value)
    return label === undefined ? { ...tag, ...fallback } : { ...tag, label }
  })
}

const correct = async (ctx: Ctx, { cache }: CatalogStores, typed: string): Promise<string | null> => {
  const words = queryWords(typed)
  if (words.length === 0 || words.length > 6) return null
  const vocabulary = await cache.get(ctx, 'vocabulary', async () =>
    createVocabulary(await readSearchWords(ctx.db, ctx.customer.id)),
  )
  const nearest = words.map((word) => (vocabulary.has(word) ? word : (vocabulary.nearest(word) ?? word)))
  const correctedText = nearest.join(' ')
  return correctedText === words.join(' ') ? null : correctedText
}

const productsShown = 6
const categoriesShown = 3
const captionMatchesShown = 3

/** A filter that all products pass. */
export const anyProduct: ProductIndexFilter = {
  category: null,
  kind: null,
  access: null,
  tag: null,
  priceMin: null,
  priceMax: null,
  durationMin: null,
  durationMax: null,
  video: false,
}

const suggestedFields = ['id', 'code', 'title', 'poster', 'kind', 'durationSeconds', 'languages'] as const

/**
 * Returns suggestions while the visitor types, with spelling correction: the best matching
 * products, and categories by name.
 */
export const suggest = async (ctx: Ctx, stores: CatalogStores, typed: string): Promise<SuggestAnswer> => {
  const lists = await stores.productIndexes.listsOf(ctx)
  const { selection, corrected } = await matchesOrCorrected(ctx, stores, lists, typed)
  const now = ctx.clock.now().getTime() / 1000
  const ids = await lists.page(selection, anyProduct, 'sort,DESC', { offset: 0, limit: productsShown, now })
  const categories = await categoriesNamed(ctx, stores.cache, corrected ?? typed)
  return {
    products: (await readCards(ctx, ids)).map((card) => pick(card, suggestedFields)),
    categories: categories
      .slice(0, categoriesShown)
      .map(({ id, name, path, languages }) => ({ id, name, path, ...(languages && { languages }) })),
    captionMatches: (await findSpoken(ctx, lists, anyProduct, [typed, corrected]))
      .slice(0, captionMatchesShown)
      .map((match) => lineOf(ctx, match)),
    corrected,
  }
}

const sitemapLength = 1000

/** Returns a page of the products on sale. A page beyond the last is empty. */
export const readSitemap = async (ctx: Ctx, page: number): Promise<SitemapAnswer> => {
  const now = ctx.clock.now()
  const of = { customerId: ctx.customer.id, now }
  const count = await countOnSale(ctx.db, of)
  const rows = await productsOnSale(ctx.db, of, { limit: sitemapLength, offset: (page - 1) * sitemapLength })
  return {
    pages: Math.max(1, Math.ceil(count / sitemapLength)),
    items: rows.map(({ code, created_at, title, summary, poster, preview, seconds, locales }) => ({
      code,
      createdAt: created_at,
      locales: offeredLocales(ctx.customer, locales),
      video:
        preview === null || seconds === null
          ? null
          : { title, summary, poster, preview: `/p/${preview}`, durationSeconds: Math.round(seconds) },
    })),
  }
}
