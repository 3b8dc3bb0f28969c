import type { Ctx, MemberCtx } from '#api/context.ts'
import { viewerOf } from '#api/context.ts'
import { entitledProducts } from '#api/db/queries/entitlements.ts'
import { type Histories, historiesOf, likedLast } from '#api/db/queries/histories.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import { cardsInOrder } from './cards.ts'

/** What the asking person watched and looked at last, latest first; nothing for a guest without a trace. */
export const histories = async (ctx: Ctx, limits: Record<keyof Histories, number>) => {
  const viewer = viewerOf(ctx.actor)
  if (viewer === null) return { watched: [], viewed: [] }
  const { watched, viewed } = await historiesOf(ctx.db, ctx.customer.id, viewer, limits)
  const cards = new Map((await cardsInOrder(ctx, [...new Set([...watched, ...viewed])])).map((card) => [card.id, card]))
  const inOrder = (ids: readonly ProductId[]) => ids.flatMap((id) => cards.get(id) ?? [])
  return { watched: inOrder(watched), viewed: inOrder(viewed) }
}

/** Liked products, latest like first. */
export const likedProducts = async (
  ctx: MemberCtx,
  { page, size }: { page: number; size: number },
): Promise<Page<ProductCard>> => {
  const { ids, total } = await likedLast(ctx.db, ctx.customer.id, ctx.actor.memberId, {
    limit: size,
    offset: (page - 1) * size,
  })
  return { items: await cardsInOrder(ctx, ids), total, page, size }
}

const value = {
  sort: () => 0,
  createdAt: (card: ProductCard) => Date.parse(card.createdAt),
  countOfViews: (card: ProductCard) => card.countOfViews,
  countOfPlays: (card: ProductCard) => card.countOfPlays,
  duration: (card: ProductCard) => card.durationSeconds ?? 0,
} as const

/** Products the member holds a live right to: latest right first, or in one of the catalogue's orders. */
export const purchasedProducts = async (
  ctx: MemberCtx,
  { sort, page, size }: { sort?: SortOption | undefined; page: number; size: number },
): Promise<Page<ProductCard>> => {
  const ids = await entitledProducts(ctx.db, ctx.customer.id, ctx.actor.memberId, ctx.clock.now())
  const first = (page - 1) * size
  if (!sort || sort === 'sort,DESC') {
    return { items: await cardsInOrder(ctx, ids.slice(first, first + size)), total: ids.length, page, size }
  }
  // One person's purchases are few enough to be put in order here.
  const [by, direction] = sort.split(',') as [keyof typeof value, 'ASC' | 'DESC']
  const cards = await cardsInOrder(ctx, ids)
  cards.sort((a, b) => (value[by](a) - value[by](b)) * (direction === 'ASC' ? 1 : -1))
  return { items: cards.slice(first, first + size), total: ids.length, page, size }
}
