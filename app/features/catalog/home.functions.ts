import { queryOptions } from '@tanstack/react-query'
import type { Category } from '#contract/catalog.ts'
import type { BannerType, Locale } from '#contract/enumerations.ts'
import { variantSources } from '#contract/picture-variants.ts'
import { defaultHomeSections, type HomeSection, type SiteSettings } from '#contract/tenancy.ts'
import type { TextLanguages } from '#contract/translations.ts'
import { call } from '~/platform/api/call'
import type { CustomerApi } from '~/platform/api/client'
import { succeeded } from '~/platform/api/problem'
import { exposureLimit, shellFreshness } from '~/platform/constants'
import { readFn, sharedReadFn } from '~/platform/request/server-fn'
import { categoryTree, type PlacedBanner, placeBanner } from '~/platform/shell/categories'
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

/** A row of products, of one category or with a title of the storefront. */
interface ProductSectionOf<List> {
  kind: 'NEWEST' | 'MOST_PLAYED'
  products: List
}

/** The store's own title of a section, with its language if that is not the page's. */
interface SectionTitle {
  title: string
  languages?: TextLanguages
}

interface CategorySectionOf<List> {
  kind: 'CATEGORY'
  category: Pick<Category, 'name' | 'path' | 'languages'>
  /** In place of the category's name. */
  own?: SectionTitle
  products: List
}

/** Products that the store has chosen. */
interface ChosenSectionOf<List> extends SectionTitle {
  kind: 'PRODUCTS'
  products: List
}

/** The banners of the slider, and the titles of the buttons that lead to them. */
export interface Slides extends HtmlList<PlacedBanner> {
  titles: readonly string[]
}

interface BannerSection {
  kind: 'GRID_BANNERS' | 'WIDE_BANNER' | 'CUSTOM_BANNERS'
  banners: HtmlList<PlacedBanner>
}

type HomeSectionOf<List> =
  | ProductSectionOf<List>
  | CategorySectionOf<List>
  | ChosenSectionOf<List>
  | BannerSection
  | { kind: 'WATCHING' | 'VIEWED' }

interface HomeOf<List> {
  slides: Slides
  /** From top to bottom, without those that have nothing to show. */
  sections: HomeSectionOf<List>[]
}

/** Products of a section: what fills the widest screens, and a little more to scroll to. */
const sectionLength = { wide: 8, tall: 10 }
const maxCategories = 5
/** A category with fewer products is not shown, unless the store has chosen it. */
const minSectionLength = 4

/** A section as the page shows it. */
export type ShownSection = HomeSectionOf<CardList>

const homeSectionsOf = ({ homeSections }: SiteSettings): readonly HomeSection[] =>
  (homeSections ?? defaultHomeSections()).filter(({ hidden }) => !hidden)

/** The home page's shared sections, with the viewer's own state on each product. */
const getHome = sharedReadFn().handler(async ({ context: { callApi: ask, requestContext } }) => {
  const [settings, categories] = await Promise.all([
    requestContext.tenant.settings(),
    requestContext.tenant.categories(),
  ])
  if (!settings.ok) return settings
  const all = categories.ok ? categories.data.items : []
  const read = (api: CustomerApi) => readHome(api, settings.data, requestContext.locale, all)
  // A store that requires sign-in shares no sections between visitors.
  if (settings.data.operation.useLogin) return ask(async (api) => toLists(await read(api)))
  const home = await requestContext.tenant.shared('home', read)
  if (!home.ok) return home
  if (requestContext.isAnonymous) return { ...home, data: toLists(home.data) }
  return ask(async (api) => toLists(await withViewerStates(api, home.data)))
})

/** The same sections with other lists of products. */
const withProducts = <From, To>({ slides, sections }: HomeOf<From>, convert: (products: From) => To): HomeOf<To> => ({
  slides,
  sections: sections.map((section) =>
    'products' in section ? { ...section, products: convert(section.products) } : section,
  ),
})

const toLists = (home: HomeOf<Tile[]>): HomeOf<CardList> => withProducts(home, toCardList)

/** The shared sections, each product with the viewer's state. */
async function withViewerStates(api: CustomerApi, home: HomeOf<Tile[]>): Promise<HomeOf<Tile[]>> {
  const viewerTileOf = await readViewerTiles(
    api,
    home.sections.flatMap((section) => ('products' in section ? section.products : [])),
  )
  return withProducts(home, (products) => products.map(viewerTileOf))
}

const withoutSingleSources = (banner: PlacedBanner): PlacedBanner => ({
  ...banner,
  imageDesktop: banner.imageDesktop && withoutSingleSource(banner.imageDesktop),
  imageMobile: banner.imageMobile && withoutSingleSource(banner.imageMobile),
})

/** Reads what the home page of a store shows. Hidden sections are not read. */
async function readHome(
  api: CustomerApi,
  settings: SiteSettings,
  locale: Locale,
  categories: readonly Category[],
): Promise<HomeOf<Tile[]>> {
  const arranged = homeSectionsOf(settings)
  const tiles = createTileMapper()
  const sectionTiles = (items: Parameters<typeof tiles>[0]) => {
    const all = tiles(items)
    return all.slice(0, sectionLength[toCardList(all).shape])
  }
  // Read at the same time as the products.
  const banners = api.content
    .banners()
    .then(({ items }) => items.map((banner) => withoutSingleSources(placeBanner(banner, categories))))
  const ofType = async (type: BannerType) => (await banners).filter((banner) => banner.type === type)
  const wideBanners = async () => {
    const all = (await ofType('BANNER')).map(
      (banner): BannerSection => ({ kind: 'WIDE_BANNER', banners: toHtmlList([banner]) }),
    )
    const isPlaced = arranged.some(({ kind }) => kind === 'WIDE_BANNER')
    return isPlaced ? { first: all.slice(0, 1), others: all.slice(1) } : { first: [], others: all }
  }

  const bannersOf = (kind: BannerSection['kind'], shown: readonly PlacedBanner[]): BannerSection[] =>
    shown.length > 0 ? [{ kind, banners: toHtmlList(shown) }] : []
  const categorySection = async (
    { id, name, path, languages }: Category,
    own?: SectionTitle,
  ): Promise<CategorySectionOf<Tile[]>> => {
    const found = await api.catalog.search({ category: id, size: sectionLength.tall })
    return {
      kind: 'CATEGORY',
      category: { name, path, languages },
      ...(own && { own }),
      products: sectionTiles(found.items),
    }
  }
  const topCategories = async () => {
    const roots = categoryTree(categories).roots.slice(0, maxCategories)
    const top = roots.flatMap(({ path }) => categories.filter((category) => category.path === path))
    const all = await Promise.all(top.map((category) => categorySection(category)))
    const { others } = await wideBanners()
    return all
      .filter(({ products }) => products.length >= minSectionLength)
      .flatMap((section, at) => [section, ...others.slice(at, at + 1)])
  }

  /** Returns none for a section without content. */
  const read = async (section: HomeSection): Promise<HomeSectionOf<Tile[]>[]> => {
    switch (section.kind) {
      case 'NEWEST': {
        const newest = await api.catalog.search({ sort: 'createdAt,DESC', size: sectionLength.tall })
        return [{ kind: 'NEWEST', products: sectionTiles(newest.items) }]
      }
      case 'MOST_PLAYED': {
        const played = await api.catalog.search({ sort: 'countOfPlays,DESC', size: sectionLength.tall })
        // A new store would show the same products twice.
        const products = sectionTiles(played.items.filter(({ countOfPlays }) => countOfPlays > 0))
        return products.length > 0 ? [{ kind: 'MOST_PLAYED', products }] : []
      }
      case 'GRID_BANNERS':
        return bannersOf(section.kind, await ofType('GRID'))
      case 'CUSTOM_BANNERS':
        return bannersOf(
          section.kind,
          (await ofType('CUSTOM')).filter(({ html }) => html),
        )
      case 'WIDE_BANNER':
        return (await wideBanners()).first
      case 'CATEGORIES':
        return topCategories()
      case 'CATEGORY': {
        const category = categories.find(({ id }) => id === section.categoryId)
        const found = category && (await categorySection(category, titleOf(section, settings, locale)))
        return found && found.products.length > 0 ? [found] : []
      }
      case 'PRODUCTS': {
        const { items } = await api.catalog.chosen({ section: section.id })
        const own = titleOf(section, settings, locale)
        return own && items.length > 0 ? [{ kind: section.kind, ...own, products: tiles(items) }] : []
      }
      default:
        return [{ kind: section.kind }]
    }
  }
  const [slides, ...sections] = await Promise.all([ofType('MAIN_SLIDER_BANNER'), ...arranged.map(read)])
  return {
    slides: { ...toHtmlList(slides), titles: slides.map(({ title }) => title) },
    sections: sections.flat(),
  }
}

/** The store's own title of a section in a language, if it has one. */
function titleOf(
  { title, titles }: Extract<HomeSection, { kind: 'CATEGORY' | 'PRODUCTS' }>,
  { base }: SiteSettings,
  locale: Locale,
): SectionTitle | undefined {
  const translated = locale === base.locale ? undefined : titles?.[locale]
  if (translated) return { title: translated }
  return title ? { title, ...(locale !== base.locale && { languages: { title: base.locale } }) } : undefined
}

/** A title that the viewer has started: what its card shows, whose data are in the page's state. */
export type ResumeTile = Pick<
  Tile,
  'id' | 'code' | 'title' | 'summary' | 'poster' | 'durationSeconds' | 'lessonCount' | 'languages'
> & { viewer: { progress: number | null } | null }

export interface PersonalSections {
  /** Without a list's own HTML: its cards can be removed. */
  watching: ResumeTile[]
  viewed: CardList
}

const toResumeTile = ({
  id,
  code,
  title,
  summary,
  poster,
  durationSeconds,
  lessonCount,
  languages,
  viewer,
}: Tile): ResumeTile => ({
  id,
  code,
  title,
  summary,
  durationSeconds,
  lessonCount,
  // The widths of a stored picture follow from its address.
  poster: variantSources(poster, 'webp').length > 0 ? { ...poster, sources: [] } : poster,
  ...(languages && { languages }),
  viewer: viewer && { progress: viewer.progress === null ? null : Math.round(viewer.progress * 1000) / 1000 },
})

/** The viewer's own sections, fetched separately so that a guest's home page can be shared. */
const getPersonalSections = readFn().handler(async ({ context: { callApi, requestContext } }) => {
  const settings = await requestContext.tenant.settings()
  if (!settings.ok) return settings
  if (!homeSectionsOf(settings.data).some(({ kind }) => kind === 'WATCHING' || kind === 'VIEWED'))
    return succeeded<PersonalSections>({ watching: [], viewed: toCardList([]) })
  return callApi(async (api): Promise<PersonalSections> => {
    const { watched, viewed } = await api.catalog.histories({ exposureLimit })
    const tiles = createTileMapper()
    return { watching: tiles(watched).map(toResumeTile), viewed: toCardList(tiles(viewed)) }
  })
})

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
