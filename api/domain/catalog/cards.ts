import type { Ctx } from '#api/context.ts'
import { viewerOf } from '#api/context.ts'
import { type CardRow, cardsById, likedAmong, watchedAmong } from '#api/db/queries/products.ts'
import { productsInCart } from '#api/domain/cart/in-cart.ts'
import { rightsOf } from '#api/domain/entitlements/rights.ts'
import type { ProductCard, ViewerState } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'

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

/** Adds what the asking person has to do with each card; a guest without a trace has nothing to do with any. */
export const withViewer = async (ctx: Ctx, cards: readonly ProductCard[]): Promise<ProductCard[]> => {
  const viewer = viewerOf(ctx.actor)
  if (viewer === null || cards.length === 0) return [...cards]
  const ids = cards.map((card) => card.id)
  const { customer, actor, db } = ctx
  const rights = await rightsOf(ctx, cards)
  const liked = actor.kind === 'USER' ? await likedAmong(db, customer.id, actor.memberId, ids) : new Set<ProductId>()
  const inCart = await productsInCart(ctx)
  const watched = await watchedAmong(db, customer.id, viewer, ids)
  return cards.map((card) => {
    const right = rights.get(card.id)
    const seen = watched.get(card.id)
    const state: ViewerState = {
      liked: liked.has(card.id),
      inCart: inCart.has(card.id),
      entitled: right?.entitled ?? false,
      source: right?.source ?? null,
      expiresAt: right?.expiresAt ?? null,
      startBy: right?.startBy ?? null,
      progress: seen === undefined ? null : Math.min(1, seen / Math.max(1, card.lessonCount)),
    }
    return { ...card, viewer: state }
  })
}

/** Cards by id as the asking person sees them. */
export const cardsOf = async (ctx: Ctx, ids: readonly ProductId[]): Promise<Map<ProductId, ProductCard>> => {
  if (ids.length === 0) return new Map()
  const rows = await cardsById(ctx.db, ctx.customer.id, ids)
  const cards = await withViewer(ctx, rows.map(publicCard))
  return new Map(cards.map((card) => [card.id, card]))
}

/** The same as a list, in the order asked for; what no longer exists is left out. */
export const cardsInOrder = async (ctx: Ctx, ids: readonly ProductId[]): Promise<ProductCard[]> => {
  const cards = await cardsOf(ctx, ids)
  return ids.flatMap((id) => cards.get(id) ?? [])
}
