import type { Ctx, Member } from '#api/context.ts'
import {
  appendOrderEvent,
  findOrder,
  itemsOf,
  lockOrder,
  type OrderItemRow,
  type OrderRow,
  rivalDrafts,
  updateOrder,
} from '#api/db/queries/orders.ts'
import { insertPayment, lockBuyer, openPayments, type PaymentRow, updatePayment } from '#api/db/queries/payments.ts'
import { newId } from '#api/db/uuid.ts'
import { rightsOf } from '#api/domain/entitlements/rights.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { viewPayment } from '#api/domain/orders/view-order.ts'
import { ProviderUnavailable } from '#api/payments/port.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, PaymentId, ProductId } from '#contract/ids.ts'
import type { Payment } from '#contract/orders.ts'
import { closePayment } from './close-payment.ts'
import { completeOrder } from './complete-order.ts'
import { merchantOf, type PaymentEnv } from './env.ts'
import { offeredMethods } from './methods.ts'

export interface PaymentStart {
  code: OrderCode
  method: PaymentMethod
  returnUrl: string
  /** The language the person reads, for the provider's page. */
  locale: string
}

/** Windows that begin to pay at one moment close each other's payments; so often before one of them gives up. */
const attempts = 20

/** The provider's name on a payment of nothing. */
const noProvider = 'none'

/**
 * Begins to pay an order and answers where the browser goes. Asked again while a payment is open, it leads to the same one. Other
 * open payments of the member for the same products are closed first, so that two windows cannot pay for one product twice; while
 * the provider does not say how one of them stands, nothing new is begun. An order of nothing is complete at once.
 */
export const startPayment = async (
  env: PaymentEnv & { actor: Member },
  input: PaymentStart,
): Promise<{ payment: Payment; redirectUrl: string } | Failure> => {
  if (!offeredMethods(env).includes(input.method)) {
    return failure('VALIDATION_FAILED', { errors: { method: ['Choose one of the methods that are offered.'] } })
  }
  const order = await env.inTransaction((ctx) => findOrder(ctx.db, ctx.customer.id, env.actor.memberId, input.code))
  if (!order) return failure('NOT_FOUND')

  const begun = await beginAlone(env, order, input.method)
  if (isFailure(begun)) return begun
  const { payment } = begun
  const backTo = returnPath(input.returnUrl, order.code, payment.id)
  if (payment.provider === noProvider) return { payment: viewPayment(payment), redirectUrl: backTo }

  try {
    const created = await env.provider.createPayment(merchantOf(env), {
      reference: payment.id as PaymentId,
      method: input.method,
      amount: { amount: payment.amount, currency: payment.currency },
      title: titleOf(begun.items),
      returnUrl: backTo,
      locale: input.locale,
    })
    const kept = await env.inTransaction((ctx) => updatePayment(ctx.db, payment, { providerRef: created.providerRef }))
    return { payment: viewPayment(kept), redirectUrl: created.redirectUrl }
  } catch (error) {
    if (error instanceof ProviderUnavailable) return failure('PROVIDER_UNAVAILABLE')
    throw error
  }
}

type Begun = { payment: PaymentRow; items: OrderItemRow[] }

/** Begins once no other payment for the same products is open. */
const beginAlone = async (env: PaymentEnv & { actor: Member }, order: OrderRow, method: PaymentMethod) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const begun = await env.inTransaction((ctx) => begin(ctx, env.actor, order.id, method, env.provider.name))
    if (!('rivals' in begun)) return begun
    for (const { id } of begun.rivals) await closePayment(env, id as PaymentId, 'SUPERSEDED')
  }
  return failure('PROVIDER_UNAVAILABLE')
}

/** The payments of a member's other drafts for the same products that may still be paid. */
const openRivals = async ({ db, customer }: Ctx, order: OrderRow, items: readonly OrderItemRow[]) => {
  const rivals = await rivalDrafts(
    db,
    order,
    items.map((item) => item.productId as ProductId),
  )
  return openPayments(
    db,
    customer.id,
    rivals.map((rival) => rival.id),
  )
}

/** Under the buyer's and the order's lock: the open payment, or a new one; or what has to be closed first. */
const begin = async (
  ctx: Ctx,
  { memberId }: Member,
  orderId: string,
  method: PaymentMethod,
  provider: string,
): Promise<Begun | { rivals: PaymentRow[] } | Failure> => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  await lockBuyer(db, memberId)
  const order = await lockOrder(db, customer.id, orderId)
  if (!order || order.status !== null) return failure('ORDER_NOT_PAYABLE')
  if (order.expiresAt !== null && Date.parse(order.expiresAt) <= now.getTime()) return failure('ORDER_NOT_PAYABLE')
  const items = await itemsOf(db, customer.id, [order.id])
  const rivals = await openRivals(ctx, order, items)
  if (rivals.length > 0) return { rivals }
  if (await ownsOneOf(ctx, items)) return failure('ALREADY_OWNED')

  const [open] = await openPayments(db, customer.id, [order.id])
  if (open) return { payment: open, items }

  const free = order.totalAmount === 0
  const payment = await insertPayment(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    provider: free ? noProvider : provider,
    method,
    status: free ? 'PAID' : 'READY',
    amount: order.totalAmount,
    currency: order.currency,
    createdAt: now.toISOString(),
    settledAt: free ? now.toISOString() : null,
  })
  await updateOrder(db, order, { method })
  await appendOrderEvent(db, order, { type: 'PAYMENT_STARTED', amount: order.totalAmount, at: now })
  if (free) await completeOrder(ctx, order, null)
  return { payment, items }
}

/** Whether something of the order was obtained since it was placed. A rental does not stand in the way of a purchase. */
const ownsOneOf = async (ctx: Ctx, items: readonly OrderItemRow[]) => {
  const subjects = items.map((item) => ({ id: item.productId as ProductId, access: 'PURCHASE' as const }))
  const rights = await rightsOf(ctx, subjects)
  return items.some((item) => {
    const source = rights.get(item.productId as ProductId)?.source
    return source === 'OWN' || source === 'GRANT' || (source === 'RENT' && item.optionType === 'RENT')
  })
}

const titleOf = ([first, ...more]: readonly OrderItemRow[]) =>
  more.length === 0 ? (first?.productTitle ?? '') : `${first?.productTitle} + ${more.length}`

/** The path the provider sends the browser back to, with what was paid in its query. */
const returnPath = (path: string, order: string, payment: string) => {
  const url = new URL(path, 'http://store.invalid')
  url.searchParams.set('order', order)
  url.searchParams.set('payment', payment)
  return `${url.pathname}${url.search}${url.hash}`
}
