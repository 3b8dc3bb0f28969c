import type { Ctx } from '#api/context.ts'
import type { SuggestAnswer } from '#contract/catalog.ts'
import { pageOfShelf, type ShelfFilter } from './browse-shelf.ts'
import { categoriesNamed } from './categories.ts'
import { findSpoken, lineOf } from './moments.ts'
import { type CatalogStores, matchesOf, readCards } from './search-products.ts'

const productsShown = 6
const categoriesShown = 3
const momentsShown = 3

const everything: ShelfFilter = {
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

/** Results while typing: the products that fit best, and categories whose name holds what was typed. */
export const suggest = (ctx: Ctx, stores: CatalogStores, typed: string): Promise<SuggestAnswer> =>
  stores.cache.get(ctx, `suggest:${typed}`, () => find(ctx, stores, typed))

const find = async (ctx: Ctx, stores: CatalogStores, typed: string): Promise<SuggestAnswer> => {
  const shelf = await stores.shelves.of(ctx.customer)
  const matches = await matchesOf(ctx, stores, shelf, typed)
  const now = ctx.clock.now().getTime() / 1000
  const ids = pageOfShelf(shelf, matches, everything, 'sort,DESC', { offset: 0, limit: productsShown, now })
  const categories = await categoriesNamed(ctx, stores.cache, typed)
  return {
    products: (await readCards(ctx, ids)).map(({ id, code, title, poster, kind, durationSeconds, languages }) => ({
      id,
      code,
      title,
      poster,
      kind,
      durationSeconds,
      ...(languages && { languages }),
    })),
    categories: categories
      .slice(0, categoriesShown)
      .map(({ id, name, path, languages }) => ({ id, name, path, ...(languages && { languages }) })),
    moments: (await findSpoken(ctx, shelf, everything, typed)).slice(0, momentsShown).map((said) => lineOf(ctx, said)),
  }
}
