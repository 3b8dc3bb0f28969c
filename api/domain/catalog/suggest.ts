import type { Ctx } from '#api/context.ts'
import { suggestedProducts } from '#api/db/queries/search.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { SuggestAnswer } from '#contract/catalog.ts'
import { publicCard } from './cards.ts'
import { listCategories } from './categories.ts'
import { queryOf } from './tokens.ts'

const productsShown = 6
const categoriesShown = 3

/** Results while typing: the products that fit best, and categories whose name holds what was typed. */
export const suggest = async (ctx: Ctx, cache: TenantCache, typed: string): Promise<SuggestAnswer> => {
  const words = queryOf(typed)
  if (words === null) return { products: [], categories: [] }
  const categories = await listCategories(ctx, cache)
  const part = typed.trim().toLowerCase()
  const rows = await cache.get(ctx.customer, `suggest:${words}`, () =>
    suggestedProducts(ctx.db, ctx.customer.id, words, productsShown),
  )
  return {
    products: rows.map(publicCard).map(({ id, code, title, poster, kind, durationSeconds }) => ({
      id,
      code,
      title,
      poster,
      kind,
      durationSeconds,
    })),
    categories: categories
      .filter((category) => category.name.toLowerCase().includes(part))
      .slice(0, categoriesShown)
      .map(({ id, name }) => ({ id, name })),
  }
}
