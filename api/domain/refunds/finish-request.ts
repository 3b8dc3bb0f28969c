import type { Ctx } from '#api/context.ts'
import { type CancelRequestRow, moveCase, updateRequest } from '#api/db/queries/cancel-requests.ts'
import { revokeEntitlements } from '#api/db/queries/entitlements.ts'
import { appendOrderEvent, itemsOf, markRefunded, type OrderRow, updateOrder } from '#api/db/queries/orders.ts'
import { nextOrderState } from '#api/domain/orders/states.ts'
import { stateOf } from '#api/domain/payments/fail-order.ts'
import { tellRefunded } from './refund-mails.ts'

/**
 * The money of a request has gone back: its items are sent back, their rights end, and the order is cancelled, or paid still where
 * something of it is kept. WHOLE: the bank has taken all of the order's money back, whatever was asked for. Under the order's lock.
 */
export const finishRequest = async (ctx: Ctx, order: OrderRow, request: CancelRequestRow, how: 'ASKED' | 'WHOLE') => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const items = await itemsOf(db, customer.id, [order.id])
  const kept = items.filter((item) => item.refundedAt === null)
  const back = how === 'WHOLE' ? kept : kept.filter((item) => request.itemIds.includes(item.id))
  const all = back.length === kept.length
  const status = nextOrderState(stateOf(order), all ? 'REFUNDED' : 'PARTLY_REFUNDED')
  if (status === null) throw new Error(`Order ${order.code} cannot be refunded while it is ${order.status}.`)

  const amount = how === 'WHOLE' ? order.totalAmount - order.refundedAmount : request.amount
  const ids = back.map((item) => item.id)
  await updateOrder(db, order, { status, refundStep: 'REFUND', refundedAmount: order.refundedAmount + amount })
  await updateRequest(db, request, {
    ...{ step: 'REFUND', outcome: 'REFUNDED', refundedAt: now.toISOString(), refundAccount: null },
    ...{ failure: null, nextAttemptAt: null, amount },
  })
  await markRefunded(db, customer.id, ids, now)
  await revokeEntitlements(db, customer.id, ids, now)
  // Money that the bank took back itself stands in the timeline already.
  const event =
    how === 'WHOLE'
      ? { type: 'CANCELLED' as const }
      : { type: all ? ('REFUNDED' as const) : ('PARTLY_REFUNDED' as const), amount }
  await appendOrderEvent(db, order, { ...event, at: now })
  if (request.caseId) await moveCase(db, customer.id, request.caseId, 'COMPLETE', now)
  await tellRefunded(ctx, order, { requestId: request.id, amount, items: back })
}
