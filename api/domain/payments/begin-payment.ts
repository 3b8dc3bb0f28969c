import type { Ctx, Member } from '#api/context.ts'
import {
  appendOrderEvent,
  itemsOf,
  lockOrder,
  type OrderItemRow,
  type OrderRow,
  rivalDrafts,
  updateOrder,
  waitingRival,
} from '#api/db/queries/orders.ts'
import { insertPayment, lockBuyer, openPayments, type PaymentRow } from '#api/db/queries/payments.ts'
import { readyProducts } from '#api/db/queries/products.ts'
import { newId } from '#api/db/uuid.ts'
import { owns } from '#api/domain/cart/blocked.ts'
import { rightsOf } from '#api/domain/entitlements/rights.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import { completeOrder } from './complete-order.ts'

export type Begun = { payment: PaymentRow; items: OrderItemRow[] }

/** Payments that have to be closed before a new one is begun, and what that means for their orders. */
export interface InTheWay {
  inTheWay: PaymentRow[]
  why: 'SUPERSEDED' | 'METHOD_CHANGED'
}

/** The provider's name on a payment of nothing. */
export const noProvider = 'none'

/** Under the buyer's and the order's lock: the open payment, or a new one; or what has to be closed first. */
export const begin = async (
  ctx: Ctx,
  { memberId }: Member,
  orderId: string,
  method: PaymentMethod,
  provider: string,
): Promise<Begun | InTheWay | Failure> => {
  const { db, customer } = ctx
  await lockBuyer(db, memberId)
  const order = await lockOrder(db, customer.id, orderId)
  if (!order || !mayBePaid(order, ctx.clock.now())) return failure('ORDER_NOT_PAYABLE')
  const items = await itemsOf(db, customer.id, [order.id])
  const products = items.map((item) => item.productId as ProductId)
  const rivals = await rivalDrafts(db, order, products)
  const inTheWay = await openPayments(
    db,
    customer.id,
    rivals.map((rival) => rival.id),
  )
  if (inTheWay.length > 0) return { inTheWay, why: 'SUPERSEDED' }
  const waiting = await waitingRival(db, order, products)
  if (waiting) return failure('DEPOSIT_OPEN', { data: { code: waiting } })
  if (await ownsOneOf(ctx, items)) return failure('ALREADY_OWNED')
  if (order.status === null && (await readyProducts(db, customer.id, products)).size < new Set(products).size)
    return failure('NOT_READY')
  const givesNothingAway = !customer.settings.order.useFree
  if (order.status === null && givesNothingAway && items.some(({ priceAmount }) => priceAmount === 0))
    return failure('ORDER_NOT_PAYABLE')

  const [open] = await openPayments(db, customer.id, [order.id])
  if (open && open.method !== method) return { inTheWay: [open], why: 'METHOD_CHANGED' }
  return { payment: open ?? (await write(ctx, order, method, provider)), items }
}

/** A draft in its half hour, or an order whose deposit may still come. */
const mayBePaid = ({ status, expiresAt, depositDeadline }: OrderRow, now: Date) => {
  if (status !== null && status !== 'DEPOSIT_WAITING') return false
  const end = status === null ? expiresAt : depositDeadline
  return end === null || Date.parse(end) > now.getTime()
}

const write = async (ctx: Ctx, order: OrderRow, method: PaymentMethod, provider: string): Promise<PaymentRow> => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const free = order.totalAmount === 0
  const deposit = new Date(now.getTime() + customer.settings.order.depositHours * 3_600_000).toISOString()
  const payment = await insertPayment(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    provider: free ? noProvider : provider,
    method,
    status: free ? 'PAID' : 'READY',
    amount: order.totalAmount,
    currency: order.currency,
    // A new account does not give an order more time than its first one did.
    dueAt: method === 'BANK' && !free ? (order.depositDeadline ?? deposit) : null,
    createdAt: now.toISOString(),
    settledAt: free ? now.toISOString() : null,
  })
  await updateOrder(db, order, { method })
  await appendOrderEvent(db, order, { type: 'PAYMENT_STARTED', amount: order.totalAmount, at: now })
  if (free) await completeOrder(ctx, { ...order, method }, null)
  return payment
}

/** Whether something of the order was obtained since it was placed. A rental does not stand in the way of a purchase. */
const ownsOneOf = async (ctx: Ctx, items: readonly OrderItemRow[]) => {
  const subjects = items.map((item) => ({ id: item.productId as ProductId, access: 'PURCHASE' as const }))
  const rights = await rightsOf(ctx, subjects)
  return items.some((item) => {
    const right = rights.get(item.productId as ProductId)
    return right !== undefined && owns(right, item.optionType)
  })
}
