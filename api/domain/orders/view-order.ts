import type { Ctx } from '#api/context.ts'
import { itemsWithRights, type OrderRow, timelineOf } from '#api/db/queries/orders.ts'
import { latestPayment, type PaymentRow } from '#api/db/queries/payments.ts'
import { cardsOf } from '#api/domain/catalog/cards.ts'
import type { OrderStatus, PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, OrderItemId, PaymentId, ProductId } from '#contract/ids.ts'
import type { Order, Payment } from '#contract/orders.ts'

/** Days within which an order may be sent back, as long as nothing of it was opened. */
const refundDays = 7

/** An order as its member sees it, with the money timeline. */
export const viewOrder = async (ctx: Ctx, order: OrderRow): Promise<Order> => {
  const rows = await itemsWithRights(ctx.db, order)
  const cards = await cardsOf(
    ctx,
    rows.map(({ item }) => item.productId as ProductId),
  )
  const payment = await latestPayment(ctx.db, ctx.customer.id, order.id)
  const timeline = await timelineOf(ctx.db, order)
  const money = (amount: number) => ({ amount, currency: order.currency })

  return {
    code: order.code as OrderCode,
    status: order.status as OrderStatus | null,
    items: rows.flatMap(({ item, right }) => {
      const product = cards.get(item.productId as ProductId)
      if (!product) return []
      return {
        id: item.id as OrderItemId,
        product: { ...product, title: item.productTitle },
        optionName: item.optionName,
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
    refund: order.refundStep
      ? { step: order.refundStep as 'PENDING' | 'ACCEPT' | 'REFUND', reason: order.refundReason }
      : null,
    timeline: timeline.map((event) => ({
      at: event.at,
      type: event.type as Order['timeline'][number]['type'],
      amount: event.amount === null ? null : money(event.amount),
      detail: event.detail,
    })),
    createdAt: order.createdAt,
    paidAt: order.paidAt,
    expiresAt: order.status === null ? order.expiresAt : null,
    refundableUntil: refundableUntil(
      order,
      rows.some(({ item }) => item.openedAt === null),
    ),
  }
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
  createdAt: payment.createdAt,
})

const refundableUntil = (order: OrderRow, somethingUnopened: boolean) => {
  if (order.status !== 'PAYMENT_COMPLETE' || order.paidAt === null || order.totalAmount === 0) return null
  if (!somethingUnopened) return null
  return new Date(Date.parse(order.paidAt) + refundDays * 86_400_000).toISOString()
}
