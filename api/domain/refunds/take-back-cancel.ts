import type { MemberCtx } from '#api/context.ts'
import { openRequest } from '#api/db/queries/cancel-requests.ts'
import { findOrder, lockOrder } from '#api/db/queries/orders.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { getOrder } from '#api/domain/orders/get-order.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { restoreOrder } from './restore-order.ts'

/** Takes a request back before it is accepted. */
export const takeBackCancel = async (ctx: MemberCtx, code: OrderCode): Promise<Order | Failure> => {
  const { db, customer, actor } = ctx
  const own = await findOrder(db, customer.id, actor.memberId, code)
  const order = own && (await lockOrder(db, customer.id, own.id))
  if (!order) return failure('NOT_FOUND')
  const request = await openRequest(db, customer.id, order.id)
  if (request?.step !== 'PENDING') return failure('CANCEL_NOT_POSSIBLE')
  await restoreOrder(ctx, order, request, { outcome: 'TAKEN_BACK' })
  return getOrder(ctx, code)
}
