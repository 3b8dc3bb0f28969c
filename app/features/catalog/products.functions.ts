import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type ProductCard, type SearchQuery, suggestQuery } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'
import { minorDigits } from '#contract/money.ts'
import type { Picture } from '#contract/picture.ts'
import { call } from '~/platform/api/call'
import type { CustomerApi } from '~/platform/api/client'
import { shellFreshness } from '~/platform/constants'
import { lowerFirst } from '~/platform/navigation/search-schema'
import { checked, readFn, sharedReadFn } from '~/platform/request/server-fn'
import { accessFilters, defaultSort, durationRange, type ProductsSearch, productsSearch } from './products.search'

/** A single width is the one in `url`. */
export const withoutSingleSource = (picture: Picture): Picture =>
  picture.sources.length > 1 ? picture : { ...picture, sources: [] }

/** Returns a card without the fields that no tile shows. */
const toTile = ({
  kind,
  ready,
  ageRating,
  tags,
  tagLabels,
  countOfViews,
  countOfPlays,
  countOfLikes,
  countOfComments,
  ...shown
}: ProductCard) => ({
  ...shown,
  poster: withoutSingleSource(shown.poster),
  posterTall: shown.posterTall && withoutSingleSource(shown.posterTall),
})
export type Tile = ReturnType<typeof toTile>

/**
 * Maps cards to tiles for the lists of one page. A product in several lists is one object, so it is
 * sent once.
 */
export function createTileMapper(): (cards: readonly ProductCard[]) => Tile[] {
  const tiles = new Map<ProductId, Tile>()
  return (cards) =>
    cards.map((card) => {
      const tile = tiles.get(card.id) ?? toTile(card)
      tiles.set(card.id, tile)
      return tile
    })
}

/** The tile that all visitors share, of a tile with a viewer's state. */
const sharedTiles = new WeakMap<Tile, Tile>()

/** A tile without the viewer's state, the same object for all requests that share it. */
export const sharedTileOf = (tile: Tile): Tile => sharedTiles.get(tile) ?? tile

/** The API's limit of one request. */
const statesAtOnce = 100

/**
 * Reads the viewer's states of tiles that visitors share.
 *
 * @returns a function from a shared tile to the viewer's own, or to the same one where it shows no
 * state
 */
export async function readViewerTiles(api: CustomerApi, tiles: Iterable<Tile>): Promise<(tile: Tile) => Tile> {
  const productIds = [...new Set(Array.from(tiles, ({ id }) => id))]
  if (productIds.length === 0) return (tile) => tile
  const parts = Array.from({ length: Math.ceil(productIds.length / statesAtOnce) }, (_, at) =>
    productIds.slice(at * statesAtOnce, (at + 1) * statesAtOnce),
  )
  const answers = await Promise.all(parts.map((part) => api.catalog.viewerStates({ productIds: part, marked: true })))
  const items = answers.flatMap((answer) => answer.items)
  const viewers = new Map(items.map(({ productId, ...viewer }) => [productId, viewer]))
  return (tile) => {
    const viewer = viewers.get(tile.id)
    if (!viewer) return tile
    const viewerTile = { ...tile, viewer }
    sharedTiles.set(viewerTile, tile)
    return viewerTile
  }
}

/** Items that the browser leaves in the HTML of the first page: cards, banners. */
export interface HtmlList<Item = unknown> {
  count: number
  /** Null in the browser for lists of the first page: their items are in its HTML. */
  tiles: readonly Item[] | null
}

export const toHtmlList = <Item>(tiles: readonly Item[]): HtmlList<Item> => ({ count: tiles.length, tiles })

/** The cards of a list or a rail. */
export interface CardList extends HtmlList<Tile> {
  /** Tall posters, as for films, only if every product of the list has one. */
  shape: 'wide' | 'tall'
}

export const toCardList = (tiles: readonly Tile[]): CardList => ({
  count: tiles.length,
  shape: tiles.length > 0 && tiles.every((tile) => tile.posterTall) ? 'tall' : 'wide',
  tiles,
})

/**
 * Returns the data of a query without the items of its lists. The page's HTML shows them already,
 * so the state of the page does not repeat them.
 */
export function withoutTiles(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || withoutLists.has(data)) return data
  if ('tiles' in data) return { ...data, tiles: null }
  const entries = Object.entries(data).map(([name, value]) => [name, withoutTiles(value), value] as const)
  if (entries.every(([, short, value]) => short === value)) {
    withoutLists.add(data)
    return data
  }
  return Array.isArray(data) ? entries.map(([, short]) => short) : Object.fromEntries(entries)
}

/** Data without lists. Requests share some of them, such as the store's settings. */
const withoutLists = new WeakSet<object>()

/** A page of products with facet counts. `video` selects products with a stream. */
const searchProducts = sharedReadFn()
  .validator(checked(z.extend(z.partial(z.object(productsSearch.shape)), { video: z.optional(z.boolean()) })))
  .handler(async ({ data: { video, ...params }, context }) => {
    const settings = await context.requestContext.tenant.settings()
    if (!settings.ok) return settings
    const query = searchQueryOf(params, settings.data.base.currency)
    // Each search that finds nothing is counted.
    if (query.q) context.serverFn.isShared = false
    const search = async (api: CustomerApi) => {
      const [page, categories] = await Promise.all([
        api.catalog.search(video ? { ...query, video } : query),
        context.requestContext.tenant.categories(),
      ])
      const paths = new Map<string, string>(
        categories.ok ? categories.data.items.map(({ id, path }) => [id, path]) : [],
      )
      // The browser knows categories by their paths.
      const category = page.facets.category.map((facet) => ({ ...facet, value: paths.get(facet.value) ?? facet.value }))
      return { ...page, facets: { ...page.facets, category }, items: toCardList(createTileMapper()(page.items)) }
    }
    // A store that requires sign-in shares no lists between visitors. Matches in captions say what
    // the viewer may play.
    if (settings.data.operation.useLogin || query.q) return context.callApi(search)
    const name = `search ${JSON.stringify([video, query])}`
    const page = await context.requestContext.tenant.shared(name, search, searchWeight)
    if (!page.ok || context.requestContext.isAnonymous) return page
    return context.callApi(async (api) => {
      const tiles = page.data.items.tiles ?? []
      const viewerTileOf = await readViewerTiles(api, tiles)
      return { ...page.data, items: { ...page.data.items, tiles: tiles.map(viewerTileOf) } }
    })
  })

/** A page of a list takes as much memory as this many other answers. */
const searchWeight = 10

/**
 * The API's params for a list's address: prices in the currency's minor unit, lengths in seconds.
 */
function searchQueryOf(params: ProductsSearch, currency: string): SearchQuery {
  const { access, priceMin, priceMax, duration, sort = defaultSort, page = 1, ...rest } = params
  const minor = (major: number) => Math.round(major * 10 ** minorDigits(currency))
  return {
    ...rest,
    ...(access && { access: [...new Set(access.flatMap((name) => accessFilters[name]))] }),
    ...rangeInOrder('durationMin', 'durationMax', durationRange(duration)),
    ...rangeInOrder('priceMin', 'priceMax', {
      ...(priceMin !== undefined && { priceMin: minor(priceMin) }),
      ...(priceMax !== undefined && { priceMax: minor(priceMax) }),
    }),
    sort,
    page,
    size: pageSize,
  }
}

/** Returns a range with its lower limit first. */
const rangeInOrder = <Min extends string, Max extends string>(
  min: Min,
  max: Max,
  range: { [Limit in Min | Max]?: number },
): { [Limit in Min | Max]?: number } => {
  const [from, to] = lowerFirst(range[min], range[max])
  return from === range[min] ? range : { ...range, [min]: from, [max]: to }
}

/** Divides by 2, 3, 4 and 6, so that the last row of a full page is full. */
const pageSize = 24

/** Which of the two lists: all products, or those with a stream. */
export type ProductList = 'products' | 'videos'

/** One page of a list. */
export const productsQuery = (list: ProductList, params: ProductsSearch) =>
  queryOptions({
    queryKey: ['products', list, params],
    queryFn: ({ signal }) =>
      call((s) => searchProducts({ data: list === 'videos' ? { ...params, video: true } : params, signal: s }), {
        signal,
      }),
  })

const suggestionCount = 12

/** The most watched products that the member cannot watch yet, suggested for an empty cart. */
const getCartSuggestions = readFn().handler(({ context }) =>
  context.callApi(async (api) => {
    const { items } = await api.catalog.search({ sort: 'countOfPlays,DESC', size: suggestionCount })
    return toCardList(createTileMapper()(items.filter(({ viewer }) => !viewer?.entitled)))
  }),
)

export const cartSuggestionsQuery = queryOptions({
  queryKey: ['products', 'cart-suggestions'],
  queryFn: ({ signal }) => call((s) => getCartSuggestions({ signal: s }), { signal }),
  staleTime: shellFreshness,
})

/** The number of titles offered before anything is typed. */
const popularShown = 5

export const popularQuery = queryOptions({
  queryKey: ['suggestions', 'popular'],
  queryFn: ({ signal }) => call((s) => searchProducts({ data: { sort: 'countOfPlays,DESC' }, signal: s }), { signal }),
  select: ({ items }) => (items.tiles ?? []).slice(0, popularShown),
  staleTime: 60_000,
})

/** Suggested products and categories for the typed text. */
const suggest = readFn()
  .validator(checked(suggestQuery))
  .handler(({ data, context }) => context.callApi((api) => api.catalog.suggest(data)))

export const suggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['suggestions', q],
    queryFn: ({ signal }) => call((s) => suggest({ data: { q }, signal: s }), { signal }),
    staleTime: 60_000,
  })
