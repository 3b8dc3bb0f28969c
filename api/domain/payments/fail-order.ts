import type { Ctx } from '#api/context.ts'
import { appendOrderEvent, type OrderRow, updateOrder } from '#api/db/queries/orders.ts'
import { nextOrderState, type OrderState } from '#api/domain/orders/states.ts'

export const stateOf = (order: Pick<OrderRow, 'status'>): OrderState => (order.status as OrderState | null) ?? 'DRAFT'

/** A draft will not be paid any more. Anything but a draft stays as it is. */
export const failOrder = async (ctx: Ctx, order: OrderRow, failure: string) => {
  const next = nextOrderState(stateOf(order), 'PAYMENT_FAILED')
  if (next !== 'PAYMENT_FAIL') return
  await updateOrder(ctx.db, order, { status: next, expiresAt: null })
  await appendOrderEvent(ctx.db, order, { type: 'FAILED', detail: failure, at: ctx.clock.now() })
}
