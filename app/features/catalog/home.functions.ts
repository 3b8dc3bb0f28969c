import type { Category } from '#contract/catalog.ts'
import type { Banner } from '#contract/content.ts'
import type { CustomerApi } from '~/platform/api/client'
import { readFn } from '~/platform/api/server-fn'
import { exposureLimit } from '~/platform/constants'
import { type Tile, tileMaker } from './tiles'

export interface Home {
  banners: Banner[]
  newest: Tile[]
  mostPlayed: Tile[]
  shelves: { category: Category; products: Tile[] }[]
}

const shelfLength = 12
const mostShelves = 5
/** Fewer than this look like a mistake, not like a shelf. */
const leastOnShelf = 4

/** Everything on the home page but what belongs to one person. For the nameless it is the same, and found once for all of them. */
export const getHome = readFn().handler(async ({ context: { ask, visit } }) => {
  const categories = await visit.tenant.categories()
  const all = categories.ok ? categories.data.items : []
  return visit.nameless ? visit.tenant.shared('home', () => readHome(visit.api, all)) : ask((api) => readHome(api, all))
})

async function readHome(api: CustomerApi, categories: readonly Category[]): Promise<Home> {
  const roots = categories.filter(({ parentId }) => parentId === null).slice(0, mostShelves)
  const [banners, newest, mostPlayed, shelves] = await Promise.all([
    api.content.banners(),
    api.catalog.search({ sort: 'createdAt,DESC', size: shelfLength }),
    api.catalog.search({ sort: 'countOfPlays,DESC', size: shelfLength }),
    Promise.all(roots.map(({ id }) => api.catalog.search({ category: id, size: shelfLength }))),
  ])
  const tiles = tileMaker()
  return {
    // The one above the header comes with the frame.
    banners: banners.items.filter(({ type }) => type !== 'HEADER_BANNER'),
    newest: tiles(newest.items),
    mostPlayed: tiles(mostPlayed.items),
    shelves: roots
      .map((category, at) => ({ category, products: tiles(shelves[at]?.items ?? []) }))
      .filter(({ products }) => products.length >= leastOnShelf),
  }
}

export interface PersonalShelves {
  watching: Tile[]
  viewed: Tile[]
}

/** What belongs to one person: asked for apart, so that a guest's home page is the same for all. */
export const getPersonalShelves = readFn().handler(({ context }) =>
  context.ask(async (api): Promise<PersonalShelves> => {
    const [watching, viewed] = await Promise.all([
      api.catalog.recentlyWatched({ exposureLimit }),
      api.catalog.viewed({ exposureLimit }),
    ])
    const tiles = tileMaker()
    return { watching: tiles(watching.items), viewed: tiles(viewed.items) }
  }),
)
