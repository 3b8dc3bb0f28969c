import { latestRequest } from '#api/modules/billing/refunds.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { findOrderByCode, itemsOf, productCodesOf, timelineOf } from '#api/modules/orders/orders.queries.ts'
import { dayAfter, startOfDay } from '#api/platform/clock.ts'
import { type Ctx, failure } from '#api/platform/context.ts'
import type { MemberId, OrderCode } from '#contract/ids.ts'
import {
  type OrderListFilter,
  paymentsOf,
  readMemberRights,
  readOpenCancelRequests,
  readStoreMember,
  readStoreMembers,
  readStoreOrders,
} from './admin.queries.ts'

export interface OrderFilter extends Omit<OrderListFilter, 'from' | 'until'> {
  /** The first and the last day (`2026-11-21`) in the store's time zone; null without a limit. */
  firstDay: string | null
  lastDay: string | null
}

/** Orders of all members, latest first; drafts without a started payment are left out. */
export const listStoreOrders = ({ db, customer }: Ctx, { firstDay, lastDay, ...filter }: OrderFilter) => {
  const { timeZone } = customer.settings.base
  return readStoreOrders(db, customer.id, {
    ...filter,
    from: firstDay === null ? null : startOfDay(firstDay, timeZone),
    until: lastDay === null ? null : startOfDay(dayAfter(lastDay), timeZone),
  })
}

/** Refunds that wait for a decision or for their transfer, oldest first. */
export const listOpenCancelRequests = ({ db, customer }: Ctx) => readOpenCancelRequests(db, customer.id)

/** Members whose name or email address contains a text, latest first. */
export const listStoreMembers = (
  { db, customer }: Ctx,
  { search, page, size }: { search: string; page: number; size: number },
) => readStoreMembers(db, customer.id, { search: search.trim(), page, size })

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
