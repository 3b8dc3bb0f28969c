import { cardsById, type ProductCardRow, paidPrices, type SubjectRow } from '#api/modules/catalog/products.queries.ts'
import { type Right, refundableOf, rightsFrom, shareRight } from '#api/modules/entitlements/entitlements.ts'
import { isVisible, shareProductState } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, cartOwner } from '#api/platform/context.ts'
import { type ReaderCtx, translate, translatedLocale } from '#api/platform/i18n/translations.ts'
import type { ProductCard, ViewerState } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { readViewerFacts, type ViewerFacts } from './viewer-states.queries.ts'

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
const statesOf = async (ctx: Ctx, products: readonly Subject[]): Promise<States> => {
  const facts =
    products.length > 0
      ? await factsOf(
          ctx,
          products.map(({ id }) => id),
        )
      : null
  return facts ? statesFrom(ctx, products, facts) : new Map()
}

const factsOf = async (ctx: Ctx, ids: readonly ProductId[]): Promise<ViewerFacts | null> => {
  const owner = cartOwner(ctx.actor)
  return owner && readViewerFacts(ctx.db, ctx.customer.id, owner, ids, ctx.clock.now())
}

const statesFrom = (ctx: Ctx, products: readonly Subject[], facts: ViewerFacts): States => {
  const { held, liked, inCart, watched } = facts
  const { actor, customer, clock } = ctx
  const rights = rightsFrom({ actor, held, useFree: customer.settings.order.useFree }, products, clock.now())
  return new Map(
    products.flatMap(({ id, lessonCount }) => {
      const right = rights.get(id)
      if (!right) return []
      const seen = watched.get(id)
      const viewer: ViewerState = {
        liked: liked.has(id),
        inCart: inCart.has(id),
        entitled: right.entitled,
        source: right.source,
        expiresAt: right.expiresAt,
        startBy: right.startBy,
        refundable: refundableOf(ctx, right.entitlement),
        progress: seen === undefined ? null : Math.min(1, seen / Math.max(1, lessonCount)),
      }
      return [[id, { viewer, right }] as const]
    }),
  )
}

type States = Map<ProductId, { viewer: ViewerState; right: Right }>

const none: Pick<Right, 'held'> = { held: false }

/** Adds the viewer's state to each card. */
export const withViewer = async (ctx: Ctx, cards: readonly ProductCard[]): Promise<ProductCard[]> => {
  const states = await statesOf(ctx, cards)
  return cards.map((card) => ({ ...card, viewer: stateOf(states, card) }))
}

const visibilityOf = ({ status, free_of_charge: freeOfCharge }: ProductCardRow) => ({ status, freeOfCharge })

const stateOf = (states: States, { id }: Pick<ProductCard, 'id'>): ViewerState | null => states.get(id)?.viewer ?? null

/**
 * Returns the viewer's states for cards that the client already has. Missing products and those
 * hidden from the viewer are omitted.
 */
export const viewerStates = async (ctx: Ctx, ids: readonly ProductId[]) => {
  const facts = await factsOf(ctx, ids)
  if (!facts) return []
  const states = statesFrom(ctx, facts.subjects, facts)
  return facts.subjects.flatMap((product) => {
    const viewer = stateOf(states, product)
    return viewer && isVisible(product, states.get(product.id)?.right ?? none, ctx.customer.settings.order)
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
    rows.filter((row) => !isVisible(visibilityOf(row), states.get(row.id)?.right ?? none, order)).map(({ id }) => id),
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
  const right = states.get(row.id)?.right
  const { id, access, status, free_of_charge: freeOfCharge } = row
  // The page's other calls ask for the same product.
  if (status !== 'DRAFT') await shareProductState(ctx, { id, access, status, freeOfCharge })
  if (right) await shareRight(ctx, row, right)
  if (!isVisible(visibilityOf(row), right ?? none, ctx.customer.settings.order)) return null
  const withState = (one: ProductCard) => ({ ...one, viewer: stateOf(states, one) })
  return { card: withState(card), others: others.map(withState) }
}
