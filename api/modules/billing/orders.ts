import { findMember } from '#api/modules/identity/identity.queries.ts'
import {
  findOrder,
  findOrderByCode,
  itemsOf,
  itemsWithRights,
  type OptionName,
  type OrderItemRow,
  type OrderRow,
  optionNamesById,
  selectOrders,
  timelineOf,
} from '#api/modules/orders/orders.queries.ts'
import { cardsOf } from '#api/modules/storefront/product-cards.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { dayAfter, minuteOf, startOfDay } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, type MemberCtx } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { type ReaderCtx, textFor } from '#api/platform/i18n/translations.ts'
import type { Receipt } from '#contract/billing.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { Locale, OrderStatus } from '#contract/enumerations.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Order, OrderSummary, Payment } from '#contract/orders.ts'
import type { Page } from '#contract/paging.ts'
import { settingsIn } from '#contract/tenancy.ts'
import { latestPayment, type PaymentRow, paidPayment } from './payments.queries.ts'
import { cancelTerms, needsAccount } from './refund-terms.ts'
import { type CancelRequestRow, latestRequest } from './refunds.queries.ts'
import { mailReceipt } from './settle-payment.ts'
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
  const otherLanguage = texts === 'placed' ? [] : rows.filter(({ item }) => !isReaders(ctx, item.optionLanguage))
  const optionNames = await optionNamesById(
    ctx.db,
    ctx.customer.id,
    otherLanguage.map(({ item }) => item.optionId),
  )
  const { db, customer, clock } = ctx
  const payment = (await paidPayment(db, customer.id, order.id)) ?? (await latestPayment(db, customer.id, order.id))
  const timeline = await timelineOf(db, order)
  const request = await latestRequest(db, customer.id, order.id)
  const unapplied = (await unappliedCasesOf(db, customer.id, order.id)).filter(({ open }) => open)
  const openRequest = request?.outcome === null ? request : null
  const items = rows.map(({ item }) => item)
  const ready = new Set([...cards.values()].filter((card) => card.ready).map(({ id }) => id))
  const { refundDays } = customer.settings.order
  const now = clock.now()
  const terms = cancelTerms({ order, items, ready, request: openRequest, refundDays, now })
  const money = (amount: number) => ({ amount, currency: order.currency })
  const needsRefundAccount = request !== null && needsAccount(order, request)

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
        refundedAmount: { amount: item.refundedAmount, currency: item.currency },
      }
    }),
    total: money(order.totalAmount),
    refundedAmount: money(order.refundedAmount),
    method: order.method,
    complimentary: order.complimentary,
    payment: payment && viewPayment(payment),
    refund: request && viewRequest(request),
    cancel: {
      ...terms,
      amount: money(terms.amount),
    },
    unapplied: unapplied.length > 0 ? money(unapplied.reduce((sum, { data }) => sum + data.amount, 0)) : null,
    needsRefundAccount: needsRefundAccount || unapplied.some(({ data }) => data.needsAccount),
    timeline: timeline.map((event) => ({
      at: event.at,
      type: event.type,
      amount: event.amount === null ? null : money(event.amount),
      detail: event.detail,
    })),
    now: now.toISOString(),
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    // Only a draft expires, and a draft has no status.
    expiresAt: order.status === null ? order.expiresAt : null,
    refundableUntil: terms.action === 'REFUND' && terms.why === null ? terms.until : null,
  }
}

const isReaders = (ctx: ReaderCtx, language: Locale | null) =>
  (language ?? ctx.customer.settings.base.locale) === ctx.locale

/** The current product under the title at the time of purchase. */
const withPlacedTitle = (ctx: ReaderCtx, { languages, ...product }: ProductCard, item: OrderItemRow): ProductCard => {
  const { title: _, ...others } = languages ?? {}
  const titleLanguages = languageOf(ctx, 'title', item.titleLanguage).languages
  return { ...product, title: item.productTitle, languages: { ...others, ...titleLanguages } }
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
const languageOf = (ctx: ReaderCtx, field: string, stored: Locale | null) => {
  const language = stored ?? ctx.customer.settings.base.locale
  return language === ctx.locale ? {} : { languages: { [field]: language } }
}

/** Returns a payment as the member sees it. */
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

/** Returns one of the member's own orders. Fails with NOT_FOUND. */
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
    const itemsOfOrder = items.filter((item) => item.orderId === order.id)
    const first = itemsOfOrder[0]
    const card = first && cards.get(first.productId)
    const named = first && card && withReadersTitle(ctx, card, first)
    const language = named ? named.languages?.title : undefined
    return {
      code: order.code,
      status: order.status,
      total: { amount: order.totalAmount, currency: order.currency },
      refundedAmount: { amount: order.refundedAmount, currency: order.currency },
      method: order.method,
      complimentary: order.complimentary,
      createdAt: order.createdAt,
      paidAt: order.paidAt,
      title: named?.title ?? first?.productTitle ?? '',
      ...(named
        ? language && { languages: { title: language } }
        : first && languageOf(ctx, 'title', first.titleLanguage)),
      itemCount: itemsOfOrder.length,
      poster: card?.poster ? { url: card.poster.url, color: card.poster.color } : null,
    }
  })
  return { items: summaries, total, page: query.page, size: query.size }
}

/**
 * Returns the receipt of one of the member's own orders. Fails with NOT_FOUND if there is no such
 * order, the order was not paid or the bank reversed its deposit.
 */
export const getReceipt = async (ctx: MemberCtx, code: OrderCode): Promise<Receipt | Failure> => {
  const { db, customer, actor, clock } = ctx
  const order = await findOrder(db, customer.id, actor.memberId, code)
  const buyer = await findMember(db, customer.id, actor.memberId)
  if (!order || !buyer || order.paidAt === null) return failure('NOT_FOUND')
  const { base, business } = settingsIn(customer.settings, ctx.locale)
  const { mailOrderNumber: _, ...seller } = business
  return {
    number: order.code,
    order: await viewOrder(ctx, order, 'placed'),
    buyer: { name: buyer.name, email: buyer.email },
    seller: { name: base.name ?? customer.code, ...seller },
    issuedAt: clock.now().toISOString(),
  }
}

/**
 * Mails a member the receipt of a paid order again, once in a minute.
 *
 * Failures: NOT_FOUND (no such order), VALIDATION_FAILED (not paid, all of it refunded, sent in
 * this minute, or its member has no account).
 */
export const sendReceiptAgain = async (ctx: Ctx, by: AuditActor, code: OrderCode): Promise<undefined | Failure> => {
  const { db, customer, clock } = ctx
  const order = await findOrderByCode(db, customer.id, code)
  if (!order) return failure('NOT_FOUND')
  const i18n = messagesOf(ctx.locale)
  const refuse = (why: string) => invalidField('code', why)
  if (order.paidAt === null) return refuse(i18n._('This order is not paid, so it has no receipt.'))
  if (!(await findMember(db, customer.id, order.memberId)))
    return refuse(i18n._('The member of this order has no account.'))
  const items = await itemsOf(db, customer.id, [order.id])
  if (items.every(({ refundedAt }) => refundedAt !== null))
    return refuse(i18n._('Everything in this order was refunded.'))
  if (!(await mailReceipt(ctx, order, items, `:${minuteOf(clock.now())}`)))
    return refuse(i18n._('It was sent a moment ago. Wait a minute.'))
  await audit(ctx, { actor: by, action: 'order.receipt-sent', subject: `order:${code}`, detail: {} })
  return undefined
}
