import type { Ctx } from '#api/context.ts'
import { type CancelRequestRow, latestRequest } from '#api/db/queries/cancel-requests.ts'
import { itemsWithRights, type OrderItemRow, type OrderRow, timelineOf } from '#api/db/queries/orders.ts'
import { latestPayment, type PaymentRow, paidPayment } from '#api/db/queries/payments.ts'
import { undueCasesOf } from '#api/db/queries/undue-money.ts'
import { cardsOf } from '#api/domain/catalog/cards.ts'
import { cancelTerms } from '#api/domain/refunds/cancel-terms.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { Locale, OrderStatus, PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, OrderItemId, PaymentId, ProductId } from '#contract/ids.ts'
import type { Order, Payment } from '#contract/orders.ts'

/** An order as its member sees it, with the money timeline. */
export const viewOrder = async (ctx: Ctx, order: OrderRow): Promise<Order> => {
  const rows = await itemsWithRights(ctx.db, order)
  const cards = await cardsOf(
    ctx,
    rows.map(({ item }) => item.productId as ProductId),
  )
  const { db, customer, clock } = ctx
  const payment = (await paidPayment(db, customer.id, order.id)) ?? (await latestPayment(db, customer.id, order.id))
  const timeline = await timelineOf(db, order)
  const request = await latestRequest(db, customer.id, order.id)
  const undue = (await undueCasesOf(db, customer.id, order.id)).filter(({ open }) => open)
  const open = request?.outcome === null ? request : null
  const items = rows.map(({ item }) => item)
  const ready = new Set([...cards.values()].filter((card) => card.ready).map(({ id }) => id as string))
  const { refundDays } = customer.settings.order
  const terms = cancelTerms({ order, items, ready, request: open, refundDays, now: clock.now() })
  const money = (amount: number) => ({ amount, currency: order.currency })
  const lacksAccount = open?.step === 'ACCEPT' && order.method === 'BANK' && open.refundAccount === null

  return {
    code: order.code as OrderCode,
    status: order.status as OrderStatus | null,
    items: rows.flatMap(({ item, right }) => {
      const product = cards.get(item.productId as ProductId)
      if (!product) return []
      return {
        id: item.id as OrderItemId,
        product: withTitleOf(ctx, product, item),
        optionName: item.optionName,
        ...languageOf(ctx, 'optionName', item.optionLanguage),
        optionType: item.optionType as 'OWN' | 'RENT',
        days: item.days,
        price: { amount: item.priceAmount, currency: item.currency },
        opened: item.openedAt !== null,
        accessUntil: right?.expiresAt ?? null,
        refunded: item.refundedAt !== null,
      }
    }),
    total: money(order.totalAmount),
    refundedAmount: money(order.refundedAmount),
    method: order.method as PaymentMethod | null,
    payment: payment && viewPayment(payment),
    refund: request && viewRequest(request),
    cancel: {
      ...terms,
      itemIds: terms.itemIds as OrderItemId[],
      deskItemIds: terms.deskItemIds as OrderItemId[],
      amount: money(terms.amount),
    },
    undue: undue.length > 0 ? money(undue.reduce((sum, { data }) => sum + data.amount, 0)) : null,
    needsRefundAccount: lacksAccount || undue.some(({ data }) => data.needsAccount),
    timeline: timeline.map((event) => ({
      at: event.at,
      type: event.type as Order['timeline'][number]['type'],
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

/** The product as it is now, under the title it was bought by. */
const withTitleOf = (ctx: Ctx, { languages, ...product }: ProductCard, item: OrderItemRow): ProductCard => {
  const { title: _, ...others } = languages ?? {}
  const own = languageOf(ctx, 'title', item.titleLanguage).languages
  return { ...product, title: item.productTitle, languages: { ...others, ...own } }
}

/** Names the language of a text that was kept, where it is not the reader's. */
export const languageOf = (ctx: Pick<Ctx, 'customer' | 'locale'>, field: string, kept: Locale | null) => {
  const language = kept ?? ctx.customer.settings.base.locale
  return language === ctx.locale ? {} : { languages: { [field]: language } }
}

export const viewPayment = (payment: PaymentRow): Payment => ({
  id: payment.id as PaymentId,
  method: payment.method as PaymentMethod,
  provider: payment.provider,
  status: payment.status as Payment['status'],
  amount: { amount: payment.amount, currency: payment.currency },
  failure: payment.failure,
  card:
    payment.cardIssuer && payment.cardLastFour ? { issuer: payment.cardIssuer, lastFour: payment.cardLastFour } : null,
  account: payment.status === 'READY' || payment.status === 'PAID' ? payment.account : null,
  createdAt: payment.createdAt,
})

const viewRequest = (request: CancelRequestRow): Order['refund'] => ({
  step: request.step as NonNullable<Order['refund']>['step'],
  byStore: request.byStore,
  reason: request.byStore ? null : request.reason,
  amount: { amount: request.amount, currency: request.currency },
  itemIds: request.itemIds as OrderItemId[],
  outcome: request.outcome as NonNullable<Order['refund']>['outcome'],
  rejection: request.rejection,
})
