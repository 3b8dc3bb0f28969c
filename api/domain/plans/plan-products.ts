import type { Ctx } from '#api/context.ts'
import { listedProducts, type PlanRow, type PlanScope } from '#api/db/queries/plans.ts'
import { countShelf, type Matches, pageOfShelf, type ShelfFilter } from '#api/domain/catalog/browse-shelf.ts'
import { cardsInOrder } from '#api/domain/catalog/cards.ts'
import type { CatalogStores } from '#api/domain/catalog/search-products.ts'
import type { Shelf } from '#api/domain/catalog/shelf.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'

/** What a plan opens: everything on plans, what stands in some categories, or what is listed. */
export type Scope = Pick<PlanRow, 'id' | 'categoryIds'> & { scope: PlanScope }

/** Access by a plan is the product's wish; the scope narrows it. */
const onPlans: ShelfFilter = {
  ...{ category: null, kind: null, access: ['PLAN', 'PURCHASE_OR_PLAN'], tag: null },
  ...{ priceMin: null, priceMax: null, durationMin: null, durationMax: null, video: false },
}

const rowsIn = (shelf: Shelf, scope: Scope, listed: ReadonlySet<ProductId>): Matches => {
  if (scope.scope === 'ALL') return null
  const rows: number[] = []
  if (scope.scope === 'PRODUCTS') {
    for (const [row, id] of shelf.ids.entries()) if (listed.has(id)) rows.push(row)
    return { rows: Uint32Array.from(rows), ranks: null }
  }
  const wanted = new Set(scope.categoryIds.map((id) => shelf.categories.names.indexOf(id)))
  const { starts, values } = shelf.categories
  for (let row = 0; row < shelf.size; row++)
    if (values.subarray(starts[row], starts[row + 1]).some((category) => wanted.has(category))) rows.push(row)
  return { rows: Uint32Array.from(rows), ranks: null }
}

/** How many products on sale each plan covers. */
export const countCovered = async (ctx: Ctx, stores: CatalogStores, scopes: readonly Scope[]) => {
  const shelf = await stores.shelves.of(ctx.customer)
  const listed = await listedOf(ctx, scopes)
  const now = ctx.clock.now().getTime() / 1000
  const count = (scope: Scope) => countShelf(shelf, rowsIn(shelf, scope, listedIn(listed, scope)), onPlans, now).total
  return new Map(scopes.map((scope) => [scope.id, count(scope)]))
}

/** Products on sale that a plan covers, a page of them, as the asking person sees them. */
export const coveredProducts = async (
  ctx: Ctx,
  stores: CatalogStores,
  scope: Scope,
  { sort = 'sort,DESC', page, size }: { sort?: SortOption | undefined; page: number; size: number },
): Promise<Page<ProductCard>> => {
  const shelf = await stores.shelves.of(ctx.customer)
  const listed = await listedOf(ctx, [scope])
  const now = ctx.clock.now().getTime() / 1000
  const rows = rowsIn(shelf, scope, listedIn(listed, scope))
  const ids = pageOfShelf(shelf, rows, onPlans, sort, { offset: (page - 1) * size, limit: size, now })
  const { total } = countShelf(shelf, rows, onPlans, now)
  return { items: await cardsInOrder(ctx, ids), total, page, size }
}

const listedOf = (ctx: Ctx, scopes: readonly Scope[]) =>
  listedProducts(
    ctx.db,
    ctx.customer.id,
    scopes.filter(({ scope }) => scope === 'PRODUCTS').map(({ id }) => id),
  )

const listedIn = (listed: ReadonlyMap<string, ProductId[]>, { id }: Scope) => new Set(listed.get(id))
