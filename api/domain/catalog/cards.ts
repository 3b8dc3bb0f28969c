import type { Ctx } from '#api/context.ts'
import { viewerOf } from '#api/context.ts'
import { type CardRow, cardsById, likedAmong, watchedAmong } from '#api/db/queries/products.ts'
import { productsInCart } from '#api/domain/cart/in-cart.ts'
import { rightsOf } from '#api/domain/entitlements/rights.ts'
import { refundableOf } from '#api/domain/refunds/refundable.ts'
import type { ProductCard, ViewerState } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'
import { isVisible } from './visible-product.ts'

/** A row as everybody sees it. */
export const publicCard = (row: CardRow): ProductCard => ({
  id: row.id,
  code: row.code,
  kind: row.kind,
  access: row.access,
  title: row.title,
  summary: row.summary,
  poster: row.poster,
  posterTall: row.poster_tall,
  price: row.price_amount === null ? null : { amount: row.price_amount, currency: row.currency },
  listPrice: row.list_price_amount === null ? null : { amount: row.list_price_amount, currency: row.currency },
  priceType: row.price_type,
  optionCount: row.option_count,
  durationSeconds: row.duration_seconds,
  lessonCount: row.lesson_count,
  ageRating: row.age_rating,
  tags: row.tags,
  saleTo: row.sale_to,
  countOfViews: row.count_of_views,
  countOfPlays: row.count_of_plays,
  countOfLikes: row.count_of_likes,
  countOfComments: row.count_of_comments,
  createdAt: row.created_at,
  viewer: null,
})

/** What the asking person has to do with each product; a guest without a trace has nothing to do with any. */
const statesOf = async (
  ctx: Ctx,
  products: readonly Pick<ProductCard, 'id' | 'access' | 'lessonCount'>[],
): Promise<Map<ProductId, ViewerState>> => {
  const viewer = viewerOf(ctx.actor)
  if (viewer === null || products.length === 0) return new Map()
  const ids = products.map((product) => product.id)
  const { customer, actor, db } = ctx
  const rights = await rightsOf(ctx, products)
  const liked = actor.kind === 'USER' ? await likedAmong(db, customer.id, actor.memberId, ids) : new Set<ProductId>()
  const inCart = await productsInCart(ctx)
  const watched = await watchedAmong(db, customer.id, viewer, ids)
  return new Map(
    products.map(({ id, lessonCount }) => {
      const right = rights.get(id)
      const seen = watched.get(id)
      const state: ViewerState = {
        liked: liked.has(id),
        inCart: inCart.has(id),
        entitled: right?.entitled ?? false,
        source: right?.source ?? null,
        expiresAt: right?.expiresAt ?? null,
        startBy: right?.startBy ?? null,
        refundable: refundableOf(ctx, right?.entitlement ?? null),
        progress: seen === undefined ? null : Math.min(1, seen / Math.max(1, lessonCount)),
      }
      return [id, state]
    }),
  )
}

/** Adds to each card what the asking person has to do with it. */
export const withViewer = async (ctx: Ctx, cards: readonly ProductCard[]): Promise<ProductCard[]> => {
  const states = await statesOf(ctx, cards)
  return cards.map((card) => ({ ...card, viewer: states.get(card.id) ?? null }))
}

/** The same alone, for readers that have the cards already. Products that are not there are left out. */
export const viewerStates = async (ctx: Ctx, ids: readonly ProductId[]) => {
  const states = await statesOf(ctx, (await visibleRows(ctx, ids)).map(publicCard))
  return [...states].map(([productId, state]) => ({ productId, ...state }))
}

/** Rows by id, without the hidden products that the person holds no right to. */
export const visibleRows = async (ctx: Ctx, ids: readonly ProductId[]): Promise<CardRow[]> => {
  const rows = await cardsById(ctx.db, ctx.customer.id, ids)
  const hidden = rows.filter((row) => row.status === 'HIDDEN')
  if (hidden.length === 0) return rows
  const rights = await rightsOf(ctx, hidden)
  return rows.filter((row) => {
    const right = rights.get(row.id)
    return !right || isVisible(row, right)
  })
}

/** Cards by id as the asking person sees them, in any state: for those who know of the products already. */
export const cardsOf = async (ctx: Ctx, ids: readonly ProductId[]): Promise<Map<ProductId, ProductCard>> => {
  if (ids.length === 0) return new Map()
  const rows = await cardsById(ctx.db, ctx.customer.id, ids)
  const cards = await withViewer(ctx, rows.map(publicCard))
  return new Map(cards.map((card) => [card.id, card]))
}

/** The same as a list, in the order asked for; what no longer exists, or is hidden from the person, is left out. */
export const cardsInOrder = async (ctx: Ctx, ids: readonly ProductId[]): Promise<ProductCard[]> => {
  const visible = ids.length > 0 ? await visibleRows(ctx, ids) : []
  const cards = new Map((await withViewer(ctx, visible.map(publicCard))).map((card) => [card.id, card]))
  return ids.flatMap((id) => cards.get(id) ?? [])
}
