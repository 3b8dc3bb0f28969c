import {
  freeProductsAt,
  type OptionRow,
  readOptions,
  readOptionsOnSale,
} from '#api/modules/catalog/playables.queries.ts'
import { withPriceThen } from '#api/modules/catalog/product-options.ts'
import {
  cardFields,
  cardsById,
  type ProductCardRow,
  paidPrices,
  type SubjectRow,
} from '#api/modules/catalog/products.queries.ts'
import { type Right, refundableOf, rightsFrom, shareRight } from '#api/modules/entitlements/entitlements.ts'
import {
  isVisible,
  shareProductState,
  visibilityOf,
  visibleProduct,
  withPriceStateThen,
} from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, cartOwner, failure } from '#api/platform/context.ts'
import { pick } from '#api/platform/elements.ts'
import { type ReaderCtx, translate, translatedLocale, translateRow } from '#api/platform/i18n/translations.ts'
import type { ProductCard, ProductOption, ViewerState } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { readViewedCards, readViewerFacts, type ViewerFacts } from './viewer-states.queries.ts'

const cardTexts = ['title', 'summary'] as const

/** Returns a poster with its alternative text: the product's title, or the poster's own text. */
const translatedPoster = (picture: Picture, row: ProductCardRow, title: string): Picture => {
  const translatedAlt = row.translation?.poster_alt
  return {
    ...picture,
    alt: typeof translatedAlt === 'string' ? translatedAlt : picture.alt === row.title ? title : picture.alt,
  }
}

/**
 * Returns a card that does not depend on the viewer. Filters use `tags`; `tagLabels` are their
 * names in the reader's language.
 */
export const publicCard = (ctx: ReaderCtx, row: ProductCardRow): ProductCard => {
  const { title, summary, languages } = translate(ctx, row, row.translation, cardTexts)
  // Labels are stored in the order of the tags. Labels that no longer match the tags are ignored.
  const labels = row.translation?.tags
  const money = (amount: number | null) => (amount === null ? null : { amount, currency: row.currency })
  return {
    ...pick(row, cardFields),
    title,
    summary,
    poster: translatedPoster(row.poster, row, title),
    posterTall: row.posterTall && translatedPoster(row.posterTall, row, title),
    price: money(row.priceAmount),
    listPrice: money(row.listPriceAmount),
    ready: row.ready,
    ...(Array.isArray(labels) && labels.length === row.tags.length && { tagLabels: labels }),
    viewer: null,
    ...(languages && { languages }),
  }
}

const noPrice = { priceAmount: null, listPriceAmount: null, priceType: null, optionCount: 0 } as const

/**
 * Returns rows with the lowest price on sale: a store without free options shows the cheapest paid
 * one.
 */
export const withPricesOnSale = async <Row extends ProductCardRow>(
  ctx: Ctx,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const { db, customer } = ctx
  if (ctx.previewAt) return withPricesThen(ctx, rows, ctx.previewAt)
  const free = customer.settings.order.useFree ? [] : rows.filter((row) => row.priceAmount === 0)
  if (free.length === 0) return rows
  const paid = await paidPrices(
    db,
    customer.id,
    free.map(({ id }) => id),
  )
  const priceOf = new Map(paid.map((price) => [price.id, price]))
  return rows.map((row) => (free.includes(row) ? { ...row, ...(priceOf.get(row.id) ?? noPrice) } : row))
}

/** Returns rows with the lowest prices on sale at the time that a preview link shows. */
const withPricesThen = async <Row extends ProductCardRow>(
  ctx: Ctx,
  rows: readonly Row[],
  time: Date,
): Promise<readonly Row[]> => {
  const ids = rows.map(({ id }) => id)
  const options = (await readOptions(ctx.db, ctx.customer.id, ids)).map((option) => withPriceThen(ctx, option))
  const free = await freeProductsAt(ctx.db, ctx.customer.id, ids, time)
  const { useFree } = ctx.customer.settings.order
  const byProduct = Map.groupBy(
    options.filter(({ priceAmount }) => useFree || priceAmount > 0),
    ({ productId }) => productId,
  )
  return rows.map((row) => {
    const freeOfCharge = free.has(row.id)
    const own = byProduct.get(row.id)?.toSorted((a, b) => a.priceAmount - b.priceAmount) ?? []
    const [lowest] = own
    if (!lowest) return { ...row, ...noPrice, freeOfCharge }
    const { priceAmount, listPriceAmount, type } = lowest
    return { ...row, priceAmount, listPriceAmount, priceType: type, optionCount: own.length, freeOfCharge }
  })
}

/** Reads the options on sale with their prices at the time of the request. */
const optionsAtTime = async (ctx: Ctx, productIds: readonly ProductId[]): Promise<OptionRow[]> => {
  const [now, { useFree }] = [ctx.clock.now(), ctx.customer.settings.order]
  const isPreview = Boolean(ctx.previewAt)
  const rows = await readOptionsOnSale(ctx.db, ctx.customer.id, productIds, {
    // A price may begin to be free, or cease to be.
    withFree: useFree || isPreview,
    now,
    previewed: ctx.previewed ?? null,
  })
  if (!isPreview) return rows
  return rows.map((option) => withPriceThen(ctx, option)).filter(({ priceAmount }) => useFree || priceAmount > 0)
}

/** Returns the viewer of states; null for a guest without an id, who has none. */
export const readerOf = ({ db, customer, actor, clock }: Ctx) => {
  const owner = cartOwner(actor)
  return owner && { db, customerId: customer.id, owner, now: clock.now() }
}

/** Reads cards by id with lowest prices on sale, and what the viewer has of them. */
const readCardRows = async (ctx: Ctx, ids: readonly ProductId[]) => {
  if (ids.length === 0) return { rows: [], facts: null }
  const reader = readerOf(ctx)
  const language = translatedLocale(ctx)
  const viewerState = reader
    ? await readViewedCards(reader, ids, language)
    : { rows: await cardsById(ctx.db, ctx.customer.id, ids, language), facts: null }
  return { ...viewerState, rows: await withPricesOnSale(ctx, viewerState.rows) }
}

type Subject = Pick<SubjectRow, 'id' | 'access' | 'lessonCount'>

/** Derives the viewer's state for each product, and whether they hold a right to it. */
const statesFrom = (ctx: Ctx, products: readonly Subject[], facts: ViewerFacts | null): States => {
  if (!facts) return new Map()
  const { heldRights, liked, inCart, awaitingTransfer, watched } = facts
  const { actor, customer, clock } = ctx
  const rights = rightsFrom({ actor, heldRights, useFree: customer.settings.order.useFree }, products, clock.now())
  return new Map(
    products.flatMap(({ id, lessonCount }) => {
      const right = rights.get(id)
      if (!right) return []
      const position = watched.get(id)
      const viewer: ViewerState = {
        liked: liked.has(id),
        inCart: inCart.has(id),
        entitled: right.entitled,
        source: right.source,
        expiresAt: right.expiresAt,
        startBy: right.startBy,
        refundable: refundableOf(ctx, right.entitlement),
        progress: position === undefined ? null : Math.min(1, position / Math.max(1, lessonCount)),
        awaitingTransfer: awaitingTransfer.get(id) ?? null,
      }
      return [[id, { viewer, right }] as const]
    }),
  )
}

type States = Map<ProductId, { viewer: ViewerState; right: Right }>

const none: Pick<Right, 'owned'> = { owned: false }

const stateOf = (states: States, { id }: Pick<ProductCard, 'id'>): ViewerState | null => states.get(id)?.viewer ?? null

/** Whether a card shows the state. Titles that are free for all members look the same to all. */
const isMarked = ({ entitled, source, progress }: ViewerState) =>
  progress !== null || (entitled && source !== 'FREE' && source !== 'MEMBER')

/**
 * Returns the viewer's states for cards that the client already has, with `marked` only those that
 * a card shows. Missing products and those hidden from the viewer are omitted.
 */
export const viewerStates = async (
  ctx: Ctx,
  ids: readonly ProductId[],
  { marked = false }: { marked?: boolean | undefined } = {},
) => {
  const reader = readerOf(ctx)
  if (!reader || ids.length === 0) return []
  const { facts, subjects: read } = await readViewerFacts(reader, ids)
  const subjects = await withPriceStateThen(ctx, read)
  const states = statesFrom(ctx, subjects, facts)
  return subjects.flatMap((product) => {
    const viewer = stateOf(states, product)
    if (!viewer || (marked && !isMarked(viewer))) return []
    return isVisible(product, states.get(product.id)?.right ?? none, visibilityOf(ctx))
      ? [{ productId: product.id, ...viewer }]
      : []
  })
}

/** Returns cards by id in any state, for callers that already know the products. */
export const cardsOf = async (ctx: Ctx, ids: readonly ProductId[]): Promise<Map<ProductId, ProductCard>> => {
  const { rows, facts } = await readCardRows(ctx, ids)
  const cards = rows.map((row) => publicCard(ctx, row))
  const states = statesFrom(ctx, cards, facts)
  return new Map(cards.map((card) => [card.id, { ...card, viewer: stateOf(states, card) }]))
}

/**
 * Returns cards in the given order. Missing products and those hidden from the viewer are omitted.
 */
export const cardsInOrder = async (ctx: Ctx, ids: readonly ProductId[]): Promise<ProductCard[]> => {
  const { rows, facts } = await readCardRows(ctx, ids)
  return inOrder(ids, visibleCards(ctx, rows, facts))
}

/** Returns the cards with the given ids, in their order. Ids without a card are omitted. */
export const inOrder = (ids: readonly ProductId[], cards: readonly ProductCard[]): ProductCard[] => {
  const byId = new Map(cards.map((card) => [card.id, card]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns rows as the viewer sees them, without the products hidden from them. */
export const visibleCards = (ctx: Ctx, rows: readonly ProductCardRow[], facts: ViewerFacts | null): ProductCard[] => {
  const cards = rows.map((row) => publicCard(ctx, row))
  const states = statesFrom(ctx, cards, facts)
  const visibility = visibilityOf(ctx)
  const hidden = new Set(
    rows.filter((row) => !isVisible(row, states.get(row.id)?.right ?? none, visibility)).map(({ id }) => id),
  )
  return cards.filter(({ id }) => !hidden.has(id)).map((card) => ({ ...card, viewer: stateOf(states, card) }))
}

/**
 * Returns a row as the viewer sees it, with related cards. Null if the row is hidden from the
 * viewer. `facts` are about the row and the related cards.
 */
export const cardBeside = async (
  ctx: Ctx,
  row: ProductCardRow,
  others: readonly ProductCard[],
  facts: ViewerFacts | null,
): Promise<{ card: ProductCard; others: ProductCard[] } | null> => {
  const card = publicCard(ctx, row)
  const states = statesFrom(ctx, [card, ...others], facts)
  const right = states.get(row.id)?.right
  const { id, access, status, saleFrom, freeOfCharge } = row
  // Other procedures of the page read the same product.
  await shareProductState(ctx, { id, access, status, saleFrom, freeOfCharge })
  if (right) await shareRight(ctx, row, right)
  if (!isVisible(row, right ?? none, visibilityOf(ctx))) return null
  const withState = (card: ProductCard) => ({ ...card, viewer: stateOf(states, card) })
  return { card: withState(card), others: others.map(withState) }
}

/** The option's name in the reader's language. */
export const optionName = (ctx: ReaderCtx, row: OptionRow): Pick<ProductOption, 'name' | 'languages'> => {
  const { name, languages } = translateRow(ctx, row, ['name'])
  return { name, ...(languages && { languages }) }
}

const publicOption = (ctx: ReaderCtx, row: OptionRow): ProductOption => ({
  id: row.id,
  productId: row.productId,
  ...optionName(ctx, row),
  type: row.type,
  days: row.days,
  startWithinDays: row.startWithinDays,
  price: { amount: row.priceAmount, currency: row.currency },
  listPrice: row.listPriceAmount === null ? null : { amount: row.listPriceAmount, currency: row.currency },
})

/**
 * Returns the options on sale of the given products in their own order. There are none without
 * payments (only-plan mode) or for a product without content. Free options are omitted if the store
 * has disabled them.
 */
export const optionsOf = async (ctx: Ctx, productIds: readonly ProductId[]): Promise<ProductOption[]> => {
  if (!ctx.customer.settings.order.usePayment) return []
  const rows = await optionsAtTime(ctx, productIds)
  return rows.map((row) => publicOption(ctx, row))
}

/**
 * Returns the options on sale of one product, as `optionsOf` does. Fails with NOT_FOUND if the
 * viewer cannot see the product.
 */
export const optionsOfProduct = async (ctx: Ctx, id: ProductId) => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  return { items: await optionsOf(ctx, [id]) }
}
