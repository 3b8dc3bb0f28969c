import { queryOptions } from '@tanstack/react-query'
import type { Category } from '#contract/catalog.ts'
import type { Banner } from '#contract/content.ts'
import type { BannerType } from '#contract/enumerations.ts'
import { call } from '~/platform/api/call'
import type { CustomerApi } from '~/platform/api/client'
import { exposureLimit, shellFreshness } from '~/platform/constants'
import { readFn } from '~/platform/request/server-fn'
import { categoryTree } from '~/platform/shell/categories'
import {
  type CardList,
  createTileMapper,
  type HtmlList,
  readViewerTiles,
  type Tile,
  toCardList,
  toHtmlList,
  withoutSingleSource,
} from './products.functions'

/** Only the slider needs the data of its banners in the browser. */
interface HomeBanners {
  slides: Banner[]
  grid: HtmlList<Banner>
  /** One banner each. */
  wide: HtmlList<Banner>[]
  custom: HtmlList<Banner>
}

interface HomeOf<List> {
  banners: HomeBanners
  newest: List
  mostPlayed: List
  sections: { category: Pick<Category, 'id' | 'name' | 'path' | 'languages'>; products: List }[]
}

const sectionLength = 12
const maxSections = 5
/** A section with fewer products is not shown. */
const minSectionLength = 4

/** The home page's shared sections, with the viewer's own state on each product. */
const getHome = readFn().handler(async ({ context: { callApi: ask, requestContext } }) => {
  const [settings, categories] = await Promise.all([
    requestContext.tenant.settings(),
    requestContext.tenant.categories(),
  ])
  const all = categories.ok ? categories.data.items : []
  // A store that requires sign-in shares no sections between visitors.
  if (!settings.ok || settings.data.operation.useLogin) return ask(async (api) => toLists(await readHome(api, all)))
  const home = await requestContext.tenant.shared('home', (api) => readHome(api, all))
  if (!home.ok) return home
  if (requestContext.isAnonymous) return { ...home, data: toLists(home.data) }
  return ask(async (api) => toLists(await withViewerStates(api, home.data)))
})

const toLists = ({ banners, newest, mostPlayed, sections }: HomeOf<Tile[]>): HomeOf<CardList> => ({
  banners,
  newest: toCardList(newest),
  mostPlayed: toCardList(mostPlayed),
  sections: sections.map(({ category, products }) => ({ category, products: toCardList(products) })),
})

/** The shared sections, each product with the viewer's state. */
async function withViewerStates(api: CustomerApi, home: HomeOf<Tile[]>): Promise<HomeOf<Tile[]>> {
  const { banners, newest, mostPlayed, sections } = home
  const viewerTileOf = await readViewerTiles(
    api,
    [newest, mostPlayed, ...sections.map(({ products }) => products)].flat(),
  )
  return {
    banners,
    newest: newest.map(viewerTileOf),
    mostPlayed: mostPlayed.map(viewerTileOf),
    sections: sections.map(({ category, products }) => ({ category, products: products.map(viewerTileOf) })),
  }
}

const withoutSingleSources = (banner: Banner): Banner => ({
  ...banner,
  imageDesktop: banner.imageDesktop && withoutSingleSource(banner.imageDesktop),
  imageMobile: banner.imageMobile && withoutSingleSource(banner.imageMobile),
})

/** The banners of the home page. The layout loads the one above the header. */
function bannersByPlace(banners: readonly Banner[]): HomeBanners {
  const ofType = (type: BannerType) => banners.filter((banner) => banner.type === type)
  return {
    slides: ofType('MAIN_SLIDER_BANNER'),
    grid: toHtmlList(ofType('GRID')),
    wide: ofType('BANNER').map((banner) => toHtmlList([banner])),
    custom: toHtmlList(ofType('CUSTOM').filter(({ html }) => html)),
  }
}

async function readHome(api: CustomerApi, categories: readonly Category[]): Promise<HomeOf<Tile[]>> {
  const roots = categoryTree(categories).roots.slice(0, maxSections)
  const [banners, newest, mostPlayed, sections] = await Promise.all([
    api.content.banners(),
    api.catalog.search({ sort: 'createdAt,DESC', size: sectionLength }),
    api.catalog.search({ sort: 'countOfPlays,DESC', size: sectionLength }),
    Promise.all(roots.map(({ id }) => api.catalog.search({ category: id, size: sectionLength }))),
  ])
  const tiles = createTileMapper()
  return {
    banners: bannersByPlace(banners.items.map(withoutSingleSources)),
    newest: tiles(newest.items),
    // A new store would show the same products twice.
    mostPlayed: tiles(mostPlayed.items.filter(({ countOfPlays }) => countOfPlays > 0)),
    sections: roots
      .map(({ id, name, path, languages }, at) => ({
        category: { id, name, path, languages },
        products: tiles(sections[at]?.items ?? []),
      }))
      .filter(({ products }) => products.length >= minSectionLength),
  }
}

export interface PersonalSections {
  /** Without a list's own HTML: its cards can be removed. */
  watching: Tile[]
  viewed: CardList
}

/** A card that leads to the player shows neither a price nor the tall poster. */
const withoutOffer = (tile: Tile): Tile => ({
  ...tile,
  posterTall: null,
  price: null,
  listPrice: null,
  priceType: null,
})

/** The viewer's own sections, fetched separately so that a guest's home page can be shared. */
const getPersonalSections = readFn().handler(({ context }) =>
  context.callApi(async (api): Promise<PersonalSections> => {
    const { watched, viewed } = await api.catalog.histories({ exposureLimit })
    const tiles = createTileMapper()
    return { watching: tiles(watched).map(withoutOffer), viewed: toCardList(tiles(viewed)) }
  }),
)

export const homeQuery = queryOptions({
  queryKey: ['products', 'home'],
  queryFn: ({ signal }) => call((s) => getHome({ signal: s }), { signal }),
  staleTime: shellFreshness,
})

export const personalSectionsQuery = queryOptions({
  queryKey: ['products', 'personal'],
  queryFn: ({ signal }) => call((s) => getPersonalSections({ signal: s }), { signal }),
  // The page's own data are not loaded twice; a page opened later shows what was watched meanwhile.
  staleTime: 5_000,
})
