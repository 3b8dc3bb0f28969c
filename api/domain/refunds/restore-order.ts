import type { Ctx } from '#api/context.ts'
import { type CancelRequestRow, moveCase, updateRequest } from '#api/db/queries/cancel-requests.ts'
import { suspendEntitlements } from '#api/db/queries/entitlements.ts'
import { appendOrderEvent, type OrderRow, updateOrder } from '#api/db/queries/orders.ts'
import { nextOrderState } from '#api/domain/orders/states.ts'
import { stateOf } from '#api/domain/payments/fail-order.ts'

/** A request has come to nothing: the order is paid as before and its rights are open again. Under the order's lock. */
export const restoreOrder = async (
  ctx: Ctx,
  order: OrderRow,
  request: CancelRequestRow,
  end: { outcome: 'TAKEN_BACK' } | { outcome: 'REJECTED'; rejection: string },
) => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const taken = end.outcome === 'TAKEN_BACK'
  const status = nextOrderState(stateOf(order), taken ? 'CANCEL_WITHDRAWN' : 'CANCEL_REJECTED')
  if (status === null) throw new Error(`Order ${order.code} has a request and is ${order.status}.`)
  await updateRequest(db, request, { ...end, decidedAt: now.toISOString(), refundAccount: null })
  await updateOrder(db, order, { status, refundStep: null, refundReason: null })
  await suspendEntitlements(db, customer.id, request.itemIds, false)
  const detail = taken ? null : end.rejection
  await appendOrderEvent(db, order, { type: taken ? 'CANCEL_TAKEN_BACK' : 'CANCEL_REJECTED', detail, at: now })
  if (request.caseId) await moveCase(db, customer.id, request.caseId, 'COMPLETE', now)
}
