import type { Category, ProductCard } from '#contract/catalog.ts'
import type { Banner } from '#contract/content.ts'
import { readFn } from '~/platform/api/server-fn'
import { exposureLimit } from '~/platform/constants'

export interface Home {
  banners: Banner[]
  newest: ProductCard[]
  mostPlayed: ProductCard[]
  shelves: { category: Category; products: ProductCard[] }[]
}

const shelfLength = 12
const mostShelves = 5
/** Fewer than this look like a mistake, not like a shelf. */
const leastOnShelf = 4

/** Everything on the home page that is the same for all. */
export const getHome = readFn().handler(async ({ context }) => {
  const categories = await context.visit.tenant.categories()
  const roots = categories.ok ? categories.data.items.filter((one) => one.parentId === null).slice(0, mostShelves) : []
  return context.ask(async (api): Promise<Home> => {
    const [banners, newest, mostPlayed, shelves] = await Promise.all([
      api.content.banners(),
      api.catalog.search({ sort: 'createdAt,DESC', size: shelfLength }),
      api.catalog.search({ sort: 'countOfPlays,DESC', size: shelfLength }),
      Promise.all(roots.map(({ id }) => api.catalog.search({ category: id, size: shelfLength }))),
    ])
    return {
      banners: banners.items,
      newest: newest.items,
      mostPlayed: mostPlayed.items,
      shelves: roots
        .map((category, at) => ({ category, products: shelves[at]?.items ?? [] }))
        .filter(({ products }) => products.length >= leastOnShelf),
    }
  })
})

export interface PersonalShelves {
  watching: ProductCard[]
  viewed: ProductCard[]
}

/** What belongs to one person: asked for apart, so that a guest's home page is the same for all. */
export const getPersonalShelves = readFn().handler(({ context }) =>
  context.ask(async (api): Promise<PersonalShelves> => {
    const [watching, viewed] = await Promise.all([
      api.catalog.recentlyWatched({ exposureLimit }),
      api.catalog.viewed({ exposureLimit }),
    ])
    return { watching: watching.items, viewed: viewed.items }
  }),
)
