import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findOrder } from '#api/modules/orders/orders.queries.ts'
import { type Failure, failure, type MemberCtx } from '#api/platform/context.ts'
import type { Receipt } from '#contract/billing.ts'
import type { OrderCode } from '#contract/ids.ts'
import { settingsIn } from '#contract/tenancy.ts'
import { viewOrder } from './orders.ts'

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
