import type { Ctx } from '#api/context.ts'
import { insertCancelRequest, openOrderCase } from '#api/db/queries/cancel-requests.ts'
import { suspendEntitlements } from '#api/db/queries/entitlements.ts'
import {
  appendOrderEvent,
  itemsOf,
  lockOrder,
  type OrderItemRow,
  type OrderRow,
  updateOrder,
} from '#api/db/queries/orders.ts'
import { paidPayment } from '#api/db/queries/payments.ts'
import { readyProducts } from '#api/db/queries/products.ts'
import { newId } from '#api/db/uuid.ts'
import { audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { nextOrderState } from '#api/domain/orders/states.ts'
import { stateOf } from '#api/domain/payments/fail-order.ts'
import type { PaymentId } from '#contract/ids.ts'
import { sealAccount } from './account.ts'
import { cancelTerms } from './cancel-terms.ts'
import type { CancelWish } from './request-cancel.ts'

interface Judged {
  items: OrderItemRow[]
  amount: number
  automatic: boolean
}

/**
 * Writes a request to send an order, or some of it, back, under the order's lock: the amount is frozen, the rights are suspended, and
 * the rule decides at once or the desk gets a case.
 */
export const writeRequest = async (
  ctx: Ctx,
  orderId: string,
  wish: CancelWish,
  sealSecret: string,
): Promise<{ paymentId: PaymentId; accepted: boolean } | Failure> => {
  const { db, customer, clock } = ctx
  const order = await lockOrder(db, customer.id, orderId)
  const payment = order && (await paidPayment(db, customer.id, order.id))
  if (!order || !payment) return failure('CANCEL_NOT_POSSIBLE')
  const status = nextOrderState(stateOf(order), 'CANCEL_REQUESTED')
  if (status === null) return failure('CANCEL_NOT_POSSIBLE', { data: { why: 'UNDER_WAY' } })
  if (order.method === 'BANK' && !wish.refundAccount) {
    return failure('VALIDATION_FAILED', {
      errors: { refundAccount: ['Enter the bank account for the refund.'] },
    })
  }
  const judged = await judge(ctx, order, wish)
  if (isFailure(judged)) return judged
  const { items, amount, automatic } = judged

  const now = clock.now()
  const at = now.toISOString()
  const about = { memberId: order.memberId, orderId: order.id, subject: `Cancel request for order ${order.code}` }
  const data = { kind: 'CANCEL_REQUEST', amount, currency: order.currency, reason: wish.reason }
  await insertCancelRequest(db, {
    ...{ customerId: customer.id, id: newId(), orderId: order.id, memberId: order.memberId, automatic },
    caseId: automatic ? null : await openOrderCase(db, customer.id, { ...about, data }, now),
    ...{ step: automatic ? 'ACCEPT' : 'PENDING', itemIds: items.map((item) => item.id) },
    ...{ amount, currency: order.currency, reason: wish.reason, createdAt: at },
    ...(automatic ? { decidedAt: at, nextAttemptAt: at } : {}),
    refundAccount: order.method === 'BANK' && wish.refundAccount ? sealAccount(sealSecret, wish.refundAccount) : null,
  })
  await updateOrder(db, order, { status, refundStep: automatic ? 'ACCEPT' : 'PENDING', refundReason: wish.reason })
  await appendOrderEvent(db, order, { type: 'CANCEL_REQUESTED', amount, detail: wish.reason, at: now })
  if (automatic) {
    await appendOrderEvent(db, order, { type: 'CANCEL_ACCEPTED', amount, detail: 'RULE', at: now })
    const detail = { amount, currency: order.currency, items: items.length }
    await audit(ctx, { actor: 'rule', action: 'cancel.accepted', subject: `order:${order.code}`, detail })
  }
  return { paymentId: payment.id as PaymentId, accepted: automatic }
}

/** What may go back of what is wished for. The rights are closed first: nobody begins to play what is being judged. */
const judge = async (ctx: Ctx, order: OrderRow, wish: CancelWish): Promise<Judged | Failure> => {
  const { db, customer, clock } = ctx
  const all = await itemsOf(db, customer.id, [order.id])
  const suspended = wish.itemIds ?? all.map((item) => item.id)
  const own = all.filter((item) => suspended.includes(item.id) && item.refundedAt === null)
  await suspendEntitlements(
    db,
    customer.id,
    own.map((item) => item.id),
    true,
  )

  const items = await itemsOf(db, customer.id, [order.id])
  const { refundDays } = customer.settings.order
  const ready = await readyProducts(
    db,
    customer.id,
    items.map(({ productId }) => productId),
  )
  const terms = cancelTerms({ order, items, ready, request: null, refundDays, now: clock.now() })
  const chosen = new Set<string>(wish.itemIds ?? terms.itemIds)
  const possible = new Set([...terms.itemIds, ...terms.deskItemIds])
  const refuse = async (refusal: Failure) => {
    await suspendEntitlements(
      db,
      customer.id,
      own.map((item) => item.id),
      false,
    )
    return refusal
  }
  if (terms.may !== 'REFUND' || [...chosen].some((id) => !possible.has(id))) {
    return refuse(failure('CANCEL_NOT_POSSIBLE', { data: { why: terms.why } }))
  }
  const back = items.filter((item) => chosen.has(item.id))
  const amount = back.reduce((sum, item) => sum + item.priceAmount, 0)
  const seen = wish.expectedAmount
  if (seen && (seen.amount !== amount || seen.currency !== order.currency)) {
    return refuse(failure('PRICE_CHANGED', { data: { total: { amount, currency: order.currency } } }))
  }
  const kept = own.filter((item) => !chosen.has(item.id))
  await suspendEntitlements(
    db,
    customer.id,
    kept.map((item) => item.id),
    false,
  )
  const unopened = back.every((item) => item.openedAt === null)
  const automatic = unopened && (order.method === 'CARD' || back.every(({ productId }) => !ready.has(productId)))
  return { items: back, amount, automatic }
}
