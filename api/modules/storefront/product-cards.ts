import {
  cardsById,
  type ProductCardRow,
  paidPrices,
  type SubjectRow,
  subjectsById,
} from '#api/modules/catalog/products.queries.ts'
import { readViewerState } from '#api/modules/engagement/engagement.queries.ts'
import { type Right, refundableOf, rightsOf } from '#api/modules/entitlements/entitlements.ts'
import { isVisible } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, cartOwner } from '#api/platform/context.ts'
import { type ReaderCtx, translate, translatedLocale } from '#api/platform/i18n/translations.ts'
import type { ProductCard, ViewerState } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'

const cardTexts = ['title', 'summary'] as const

/** Returns a poster with its alternative text: the product's title, or a text of its own. */
const translatedPoster = (picture: Picture, row: ProductCardRow, title: string): Picture => {
  const own = row.translation?.poster_alt
  return { ...picture, alt: typeof own === 'string' ? own : picture.alt === row.title ? title : picture.alt }
}

/**
 * Returns a card that does not depend on the viewer. Filters use `tags`; `tagLabels` are their
 * names in the reader's language.
 */
export const publicCard = (ctx: ReaderCtx, row: ProductCardRow): ProductCard => {
  const { title, summary, languages } = translate(ctx, row, row.translation, cardTexts)
  // Labels are stored in the order of the tags. Labels that no longer match the tags are ignored.
  const labels = row.translation?.tags
  return {
    id: row.id,
    code: row.code,
    kind: row.kind,
    access: row.access,
    title,
    summary,
    poster: translatedPoster(row.poster, row, title),
    posterTall: row.poster_tall && translatedPoster(row.poster_tall, row, title),
    price: row.price_amount === null ? null : { amount: row.price_amount, currency: row.currency },
    listPrice: row.list_price_amount === null ? null : { amount: row.list_price_amount, currency: row.currency },
    priceType: row.price_type,
    optionCount: row.option_count,
    durationSeconds: row.duration_seconds,
    lessonCount: row.lesson_count,
    ready: row.ready,
    ageRating: row.age_rating,
    tags: row.tags,
    ...(Array.isArray(labels) && labels.length === row.tags.length && { tagLabels: labels }),
    saleTo: row.sale_to,
    countOfViews: row.count_of_views,
    countOfPlays: row.count_of_plays,
    countOfLikes: row.count_of_likes,
    countOfComments: row.count_of_comments,
    createdAt: row.created_at,
    viewer: null,
    ...(languages && { languages }),
  }
}

const noPrice = { price_amount: null, list_price_amount: null, price_type: null, option_count: 0 } as const

/**
 * Returns rows with the lowest price on sale: a store without free options shows the cheapest paid
 * one.
 */
export const withPricesOnSale = async <Row extends ProductCardRow>(
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const free = customer.settings.order.useFree ? [] : rows.filter((row) => row.price_amount === 0)
  if (free.length === 0) return rows
  const paid = await paidPrices(
    db,
    customer.id,
    free.map(({ id }) => id),
  )
  const priceOf = new Map(paid.map((price) => [price.id, price]))
  return rows.map((row) => (free.includes(row) ? { ...row, ...(priceOf.get(row.id) ?? noPrice) } : row))
}

const cardsOnSale = async (ctx: Ctx, ids: readonly ProductId[]) =>
  withPricesOnSale(ctx, ids.length > 0 ? await cardsById(ctx.db, ctx.customer.id, ids, translatedLocale(ctx)) : [])

type Subject = Pick<SubjectRow, 'id' | 'access' | 'lessonCount'>

/**
 * Returns the viewer's state for each product, and whether they hold a right to it. A guest without
 * an id has no state.
 */
const statesOf = async (ctx: Ctx, products: readonly Subject[]): Promise<Map<ProductId, ViewerState & Held>> => {
  const owner = cartOwner(ctx.actor)
  if (owner === null || products.length === 0) return new Map()
  const rights = await rightsOf(ctx, products)
  const ids = products.map((product) => product.id)
  const { liked, inCart, watched } = await readViewerState(ctx.db, ctx.customer.id, owner, ids)
  return new Map(
    products.map(({ id, lessonCount }) => {
      const right = rights.get(id)
      const seen = watched.get(id)
      return [
        id,
        {
          liked: liked.has(id),
          inCart: inCart.has(id),
          entitled: right?.entitled ?? false,
          source: right?.source ?? null,
          expiresAt: right?.expiresAt ?? null,
          startBy: right?.startBy ?? null,
          refundable: refundableOf(ctx, right?.entitlement ?? null),
          progress: seen === undefined ? null : Math.min(1, seen / Math.max(1, lessonCount)),
          held: right?.held ?? false,
        },
      ]
    }),
  )
}

type Held = Pick<Right, 'held'>

const none: Held = { held: false }

/** Adds the viewer's state to each card. */
export const withViewer = async (ctx: Ctx, cards: readonly ProductCard[]): Promise<ProductCard[]> => {
  const states = await statesOf(ctx, cards)
  return cards.map((card) => ({ ...card, viewer: stateOf(states, card) }))
}

const visibilityOf = ({ status, free_of_charge: freeOfCharge }: ProductCardRow) => ({ status, freeOfCharge })

const stateOf = (states: Map<ProductId, ViewerState & Held>, { id }: Pick<ProductCard, 'id'>): ViewerState | null => {
  const state = states.get(id)
  if (!state) return null
  const { held: _, ...viewer } = state
  return viewer
}

/**
 * Returns the viewer's states for cards that the client already has. Missing products and those
 * hidden from the viewer are omitted.
 */
export const viewerStates = async (ctx: Ctx, ids: readonly ProductId[]) => {
  if (cartOwner(ctx.actor) === null) return []
  const products = await subjectsById(ctx.db, ctx.customer.id, ids)
  const states = await statesOf(ctx, products)
  return products.flatMap((product) => {
    const viewer = stateOf(states, product)
    return viewer && isVisible(product, states.get(product.id) ?? none, ctx.customer.settings.order)
      ? [{ productId: product.id, ...viewer }]
      : []
  })
}

/** Returns cards by id in any state, for callers that already know the products. */
export const cardsOf = async (ctx: Ctx, ids: readonly ProductId[]): Promise<Map<ProductId, ProductCard>> => {
  const cards = await withViewer(
    ctx,
    (await cardsOnSale(ctx, ids)).map((row) => publicCard(ctx, row)),
  )
  return new Map(cards.map((card) => [card.id, card]))
}

/**
 * Returns cards in the given order. Missing products and those hidden from the viewer are omitted.
 */
export const cardsInOrder = async (ctx: Ctx, ids: readonly ProductId[]): Promise<ProductCard[]> => {
  const cards = await visibleCards(ctx, await cardsOnSale(ctx, ids))
  const byId = new Map(cards.map((card) => [card.id, card]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns rows as the viewer sees them, without the products hidden from them. */
const visibleCards = async (ctx: Ctx, rows: readonly ProductCardRow[]): Promise<ProductCard[]> => {
  const cards = rows.map((row) => publicCard(ctx, row))
  const states = await statesOf(ctx, cards)
  const { order } = ctx.customer.settings
  const hidden = new Set(
    rows.filter((row) => !isVisible(visibilityOf(row), states.get(row.id) ?? none, order)).map(({ id }) => id),
  )
  return cards.filter(({ id }) => !hidden.has(id)).map((card) => ({ ...card, viewer: stateOf(states, card) }))
}

/**
 * Returns a row as the viewer sees it, with related cards. Null if the row is hidden from the
 * viewer.
 */
export const cardBeside = async (
  ctx: Ctx,
  row: ProductCardRow,
  others: readonly ProductCard[],
): Promise<{ card: ProductCard; others: ProductCard[] } | null> => {
  const card = publicCard(ctx, row)
  const states = await statesOf(ctx, [card, ...others])
  if (!isVisible(visibilityOf(row), states.get(row.id) ?? none, ctx.customer.settings.order)) return null
  const withState = (one: ProductCard) => ({ ...one, viewer: stateOf(states, one) })
  return { card: withState(card), others: others.map(withState) }
}
