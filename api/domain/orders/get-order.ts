import type { MemberCtx } from '#api/context.ts'
import { findOrder } from '#api/db/queries/orders.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { viewOrder } from './view-order.ts'

/** One of the member's own orders. */
export const getOrder = async (ctx: MemberCtx, code: OrderCode): Promise<Order | Failure> => {
  const order = await findOrder(ctx.db, ctx.customer.id, ctx.actor.memberId, code)
  return order ? viewOrder(ctx, order) : failure('NOT_FOUND')
}
