import { latestRequest } from '#api/modules/billing/refunds.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findOrderByCode, itemsOf, productCodesOf, timelineOf } from '#api/modules/orders/orders.queries.ts'
import { type Ctx, failure } from '#api/platform/context.ts'
import type { MemberId, OrderCode } from '#contract/ids.ts'
import { paymentsOf, readMemberRights, readStoreMember } from './store-orders.queries.ts'

/**
 * An order as operators see it: items, every payment, the latest refund, the timeline. Failure:
 * NOT_FOUND.
 */
export const showStoreOrder = async ({ db, customer }: Ctx, code: OrderCode) => {
  const order = await findOrderByCode(db, customer.id, code)
  if (!order) return failure('NOT_FOUND')
  const codes = await productCodesOf(db, customer.id, order.id)
  const items = await itemsOf(db, customer.id, [order.id])
  return {
    order,
    member: await findMember(db, customer.id, order.memberId),
    items: items.map((item) => ({ ...item, productCode: codes.get(item.id) ?? '' })),
    payments: await paymentsOf(db, customer.id, order.id),
    refund: await latestRequest(db, customer.id, order.id),
    timeline: await timelineOf(db, order),
  }
}

/**
 * A member as operators see them, with their live rights. Failure: NOT_FOUND, also for a withdrawn
 * account.
 */
export const showStoreMember = async ({ db, customer, clock }: Ctx, id: MemberId) => {
  const member = await readStoreMember(db, customer.id, id)
  if (!member) return failure('NOT_FOUND')
  return { member, rights: await readMemberRights(db, customer.id, id, clock.now()) }
}
