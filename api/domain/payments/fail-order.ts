import type { Ctx } from '#api/context.ts'
import { revokeEntitlements } from '#api/db/queries/entitlements.ts'
import { appendOrderEvent, itemsOf, type OrderRow, updateOrder } from '#api/db/queries/orders.ts'
import { nextOrderState, type OrderChange, type OrderState } from '#api/domain/orders/states.ts'
import { tellDepositExpired } from './deposit-mails.ts'

export const stateOf = (order: Pick<OrderRow, 'status'>): OrderState => (order.status as OrderState | null) ?? 'DRAFT'

const changes: Partial<Record<string, OrderChange>> = {
  DEPOSIT_EXPIRED: 'DEPOSIT_EXPIRED',
  CANCELLED_BY_MEMBER: 'DEPOSIT_CANCELLED',
}

/**
 * An order will not be paid any more: a draft for any reason, one that waits for a deposit when its time is over or its member
 * cancels. That one outlives a card that was declined. Anything else stays as it is.
 */
export const failOrder = async (ctx: Ctx, order: OrderRow, failure: string) => {
  const state = stateOf(order)
  const at = ctx.clock.now()
  const own = changes[failure]
  const next = (own && nextOrderState(state, own)) ?? nextOrderState(state, 'PAYMENT_FAILED')
  if (next === null) {
    if (state === 'DEPOSIT_WAITING') await appendOrderEvent(ctx.db, order, { type: 'FAILED', detail: failure, at })
    return
  }
  await updateOrder(ctx.db, order, { status: next, expiresAt: null, depositDeadline: null })
  await appendOrderEvent(ctx.db, order, {
    type: next === 'CANCEL_COMPLETE' ? 'CANCELLED' : 'FAILED',
    detail: failure,
    at,
  })
  if (state !== 'DEPOSIT_WAITING') return
  // A deposit that was reversed had given rights: suspended until now, they end.
  const items = await itemsOf(ctx.db, ctx.customer.id, [order.id])
  await revokeEntitlements(
    ctx.db,
    ctx.customer.id,
    items.map((item) => item.id),
    at,
  )
  if (own === 'DEPOSIT_EXPIRED') await tellDepositExpired(ctx, order)
}
