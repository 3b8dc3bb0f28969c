import type * as z from 'zod/mini'
import { cartLines, findCart, type Offer } from '#api/modules/orders/cart.queries.ts'
import { buyableOffer, judgeOffers } from '#api/modules/orders/cart-view.ts'
import {
  appendOrderEvent,
  findOrder,
  insertOrder,
  insertOrderItems,
  itemsOf,
  itemsWithRights,
  type OptionName,
  type OrderItemRow,
  type OrderRow,
  optionNamesById,
  listOrders as selectOrders,
  timelineOf,
} from '#api/modules/orders/orders.queries.ts'
import { newOrderCode } from '#api/modules/orders/orders.ts'
import { cardsOf } from '#api/modules/storefront/product-cards.ts'
import { dayAfter, startOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, isFailure, type MemberCtx } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type ReaderCtx, textFor } from '#api/platform/i18n/translations.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { Locale, OrderStatus } from '#contract/enumerations.ts'
import type { OrderCode, OrderItemId } from '#contract/ids.ts'
import type { Order, OrderSummary, orderPlace, Payment } from '#contract/orders.ts'
import type { Page } from '#contract/paging.ts'
import { latestPayment, type PaymentRow, paidPayment } from './payments.queries.ts'
import { cancelTerms } from './refund-terms.ts'
import { type CancelRequestRow, latestRequest } from './refunds.queries.ts'
import { unappliedCasesOf } from './unapplied-payments.queries.ts'

/**
 * Returns an order as its member sees it, with the timeline of payments and refunds. `texts:
 * 'placed'` shows the texts of the day the order was placed, as documents do. The default,
 * `'reader'`, uses current product texts where the order was placed in another language and the
 * product has a text in the reader's language.
 */
export const viewOrder = async (ctx: Ctx, order: OrderRow, texts: 'reader' | 'placed' = 'reader'): Promise<Order> => {
  const rows = await itemsWithRights(ctx.db, order)
  const cards = await cardsOf(
    ctx,
    rows.map(({ item }) => item.productId),
  )
  const foreign = texts === 'placed' ? [] : rows.filter(({ item }) => !isReaders(ctx, item.optionLanguage))
  const optionNames = await optionNamesById(
    ctx.db,
    ctx.customer.id,
    foreign.map(({ item }) => item.optionId),
  )
  const { db, customer, clock } = ctx
  const payment = (await paidPayment(db, customer.id, order.id)) ?? (await latestPayment(db, customer.id, order.id))
  const timeline = await timelineOf(db, order)
  const request = await latestRequest(db, customer.id, order.id)
  const unapplied = (await unappliedCasesOf(db, customer.id, order.id)).filter(({ open }) => open)
  const open = request?.outcome === null ? request : null
  const items = rows.map(({ item }) => item)
  const ready = new Set([...cards.values()].filter((card) => card.ready).map(({ id }) => id))
  const { refundDays } = customer.settings.order
  const terms = cancelTerms({ order, items, ready, request: open, refundDays, now: clock.now() })
  const money = (amount: number) => ({ amount, currency: order.currency })
  const lacksAccount = open?.step === 'ACCEPT' && order.method === 'BANK' && open.refundAccount === null

  return {
    code: order.code,
    status: order.status,
    items: rows.flatMap(({ item, right }) => {
      const product = cards.get(item.productId)
      if (!product) return []
      return {
        id: item.id,
        product: texts === 'placed' ? withPlacedTitle(ctx, product, item) : withReadersTitle(ctx, product, item),
        ...optionNameFor(ctx, item, optionNames.get(item.optionId)),
        optionType: item.optionType,
        days: item.days,
        price: { amount: item.priceAmount, currency: item.currency },
        opened: item.openedAt !== null,
        accessUntil: right?.expiresAt ?? null,
        refunded: item.refundedAt !== null,
      }
    }),
    total: money(order.totalAmount),
    refundedAmount: money(order.refundedAmount),
    method: order.method,
    payment: payment && viewPayment(payment),
    refund: request && viewRequest(request),
    cancel: {
      ...terms,
      itemIds: terms.itemIds as OrderItemId[],
      reviewItemIds: terms.reviewItemIds as OrderItemId[],
      amount: money(terms.amount),
    },
    unapplied: unapplied.length > 0 ? money(unapplied.reduce((sum, { data }) => sum + data.amount, 0)) : null,
    needsRefundAccount: lacksAccount || unapplied.some(({ data }) => data.needsAccount),
    timeline: timeline.map((event) => ({
      at: event.at,
      type: event.type,
      amount: event.amount === null ? null : money(event.amount),
      detail: event.detail,
    })),
    now: ctx.clock.now().toISOString(),
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    expiresAt: order.status === null ? order.expiresAt : null,
    refundableUntil: terms.may === 'REFUND' && terms.why === null ? terms.until : null,
  }
}

const isReaders = (ctx: ReaderCtx, language: Locale | null) =>
  (language ?? ctx.customer.settings.base.locale) === ctx.locale

/** The current product under the title at the time of purchase. */
const withPlacedTitle = (ctx: ReaderCtx, { languages, ...product }: ProductCard, item: OrderItemRow): ProductCard => {
  const { title: _, ...others } = languages ?? {}
  const own = languageOf(ctx, 'title', item.titleLanguage).languages
  return { ...product, title: item.productTitle, languages: { ...others, ...own } }
}

/**
 * Like `withPlacedTitle`, except that a title stored in another language is replaced by the current
 * title in the reader's language if there is one.
 */
const withReadersTitle = (ctx: ReaderCtx, product: ProductCard, item: OrderItemRow): ProductCard =>
  isReaders(ctx, item.titleLanguage) || product.languages?.title ? withPlacedTitle(ctx, product, item) : product

const optionNameFor = (ctx: ReaderCtx, item: OrderItemRow, current: OptionName | undefined) => {
  const name = current && textFor(ctx, current.name, current.translations, 'name')
  return name?.language === ctx.locale
    ? { optionName: name.text }
    : { optionName: item.optionName, ...languageOf(ctx, 'optionName', item.optionLanguage) }
}

/** Returns the language of a stored text if it differs from the reader's. */
export const languageOf = (ctx: ReaderCtx, field: string, kept: Locale | null) => {
  const language = kept ?? ctx.customer.settings.base.locale
  return language === ctx.locale ? {} : { languages: { [field]: language } }
}

export const viewPayment = (payment: PaymentRow): Payment => ({
  id: payment.id,
  method: payment.method,
  provider: payment.provider,
  status: payment.status,
  amount: { amount: payment.amount, currency: payment.currency },
  failure: payment.failure,
  card:
    payment.cardIssuer && payment.cardLastFour ? { issuer: payment.cardIssuer, lastFour: payment.cardLastFour } : null,
  account: payment.status === 'READY' || payment.status === 'PAID' ? payment.account : null,
  createdAt: payment.createdAt,
})

const viewRequest = (request: CancelRequestRow): Order['refund'] => ({
  step: request.step,
  byStore: request.byStore,
  reason: request.byStore ? null : request.reason,
  amount: { amount: request.amount, currency: request.currency },
  itemIds: request.itemIds,
  outcome: request.outcome,
  rejection: request.rejection,
})

export type OrderPlace = z.output<typeof orderPlace>

/** Minutes a draft waits for its payment. */
export const draftMinutes = 30

/**
 * Creates an order draft from the chosen lines. Prices and names come from the server at this
 * moment; `expectedTotal`, the total the member saw, is only compared. The cart retains its lines
 * until they are paid, so that a declined card does not empty it.
 */
export const placeOrder = async (ctx: MemberCtx, input: OrderPlace): Promise<Order | Failure> => {
  const { order: rules, base } = ctx.customer.settings
  if (!rules.usePayment && !rules.useFree) return failure('PAYMENT_DISABLED')
  if (input.refundPolicyVersion !== rules.refundPolicy.version) {
    return failure('VALIDATION_FAILED', {
      errors: { refundPolicyVersion: ['The refund policy has changed. Review it before you pay.'] },
    })
  }
  const offers = input.buyNow ? await offerAtOnce(ctx, input) : await offersOfCart(ctx, input)
  if (isFailure(offers)) return offers

  const total = offers.reduce((sum, { option }) => sum + option.priceAmount, 0)
  const seen = input.expectedTotal
  if (seen && (seen.amount !== total || seen.currency !== base.currency)) {
    return failure('PRICE_CHANGED', { data: { total: { amount: total, currency: base.currency } } })
  }
  if (total > 0 ? !rules.usePayment : !rules.useFree) return failure('PAYMENT_DISABLED')
  return viewOrder(ctx, await writeDraft(ctx, offers, total))
}

const offerAtOnce = async (ctx: MemberCtx, input: OrderPlace): Promise<Offer[] | Failure> => {
  if (input.cartItemIds || !input.buyNow) {
    return failure('VALIDATION_FAILED', {
      errors: { buyNow: ['Order items from the cart or a single option, not both.'] },
    })
  }
  const offer = await buyableOffer(ctx, input.buyNow.productId, input.buyNow.optionId)
  return isFailure(offer) ? offer : [offer]
}

/**
 * The chosen cart lines, all of which must be for sale. Without a choice, every line that is for
 * sale.
 */
const offersOfCart = async (ctx: MemberCtx, input: OrderPlace): Promise<Offer[] | Failure> => {
  const cart = await findCart(ctx.db, ctx.customer.id, { memberId: ctx.actor.memberId })
  const lines = cart ? await cartLines(ctx.db, cart) : []
  const chosen = input.cartItemIds && new Set<string>(input.cartItemIds)
  const wanted = chosen ? lines.filter((line) => chosen.has(line.item.id)) : lines
  if (chosen && wanted.length < chosen.size) return failure('NOT_FOUND')

  const offers: Offer[] = []
  for (const offer of await judgeOffers(ctx, wanted)) {
    if (!isFailure(offer)) offers.push(offer)
    else if (chosen) return offer
  }
  if (offers.length > 0) return offers
  return failure('VALIDATION_FAILED', {
    errors: { cartItemIds: ['None of the items in the cart can be bought right now.'] },
  })
}

const writeDraft = async (ctx: MemberCtx, offers: readonly Offer[], total: number): Promise<OrderRow> => {
  const { customer, clock, db } = ctx
  const { base, order: rules } = customer.settings
  const now = clock.now()
  const draft = {
    customerId: customer.id,
    id: newId(),
    memberId: ctx.actor.memberId,
    totalAmount: total,
    currency: base.currency,
    refundPolicyVersion: rules.refundPolicy.version,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + draftMinutes * 60_000).toISOString(),
  }
  let order: OrderRow | null = null
  // Six characters per day allow a billion codes. A collision draws a new code.
  while (!order) order = await insertOrder(db, { ...draft, code: newOrderCode(now, base.timeZone) })
  const { id: orderId } = order
  await insertOrderItems(
    db,
    offers.map(({ product, option }, sort) => ({
      customerId: customer.id,
      id: newId(),
      orderId,
      productId: product.id,
      optionId: option.id,
      ...textsAtPlacing(ctx, product, option),
      optionType: option.type,
      days: option.days,
      startWithinDays: option.startWithinDays,
      priceAmount: option.priceAmount,
      currency: option.currency,
      sort,
    })),
  )
  await appendOrderEvent(db, order, { type: 'PLACED', amount: total, at: now })
  return order
}

/**
 * The texts the buyer read at the time of purchase. Later catalogue changes do not alter the order.
 */
const textsAtPlacing = (ctx: MemberCtx, product: Offer['product'], option: Offer['option']) => {
  const title = textFor(ctx, product.title, product.translations, 'title')
  const name = textFor(ctx, option.name, option.translations, 'name')
  return {
    productTitle: title.text,
    titleLanguage: title.language,
    optionName: name.text,
    optionLanguage: name.language,
  }
}

/** Returns one of the member's own orders. */
export const getOrder = async (ctx: MemberCtx, code: OrderCode): Promise<Order | Failure> => {
  const order = await findOrder(ctx.db, ctx.customer.id, ctx.actor.memberId, code)
  return order ? viewOrder(ctx, order) : failure('NOT_FOUND')
}

export interface OrderQuery {
  status?: OrderStatus | undefined
  /** Calendar days in the tenant's time zone, inclusive. */
  from?: string | undefined
  to?: string | undefined
  page: number
  size: number
}

/** Returns the member's orders, newest first. */
export const listOrders = async (ctx: MemberCtx, query: OrderQuery): Promise<Page<OrderSummary>> => {
  const { timeZone } = ctx.customer.settings.base
  const filter = {
    status: query.status,
    from: query.from ? startOfDay(query.from, timeZone) : undefined,
    to: query.to ? startOfDay(dayAfter(query.to), timeZone) : undefined,
  }
  const { rows, total } = await selectOrders(ctx.db, ctx.customer.id, ctx.actor.memberId, filter, query)
  const items = await itemsOf(
    ctx.db,
    ctx.customer.id,
    rows.map((order) => order.id),
  )
  const cards = await cardsOf(ctx, [...new Set(items.map((item) => item.productId))])

  const summaries = rows.map((order): OrderSummary => {
    const mine = items.filter((item) => item.orderId === order.id)
    const first = mine[0]
    const card = first && cards.get(first.productId)
    const named = first && card && withReadersTitle(ctx, card, first)
    const language = named ? named.languages?.title : undefined
    return {
      code: order.code,
      status: order.status,
      total: { amount: order.totalAmount, currency: order.currency },
      refundedAmount: { amount: order.refundedAmount, currency: order.currency },
      method: order.method,
      createdAt: order.createdAt,
      paidAt: order.paidAt,
      title: named?.title ?? first?.productTitle ?? '',
      ...(named
        ? language && { languages: { title: language } }
        : first && languageOf(ctx, 'title', first.titleLanguage)),
      itemCount: mine.length,
      poster: card?.poster ? { url: card.poster.url, color: card.poster.color } : null,
    }
  })
  return { items: summaries, total, page: query.page, size: query.size }
}
