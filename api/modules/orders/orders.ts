import { randomInt } from 'node:crypto'
import { insertEntitlements } from '#api/modules/entitlements/entitlements.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { OrderStatus } from '#contract/enumerations.ts'
import { type MemberId, type OrderCode, orderCode } from '#contract/ids.ts'
import type { OrderItemRow } from './orders.queries.ts'

/**
 * An order's state. DRAFT stands for the contract's null: nothing is paid and nothing has failed.
 */
export type OrderState = OrderStatus | 'DRAFT'

export type OrderChange =
  | 'PAID'
  | 'PAYMENT_FAILED'
  | 'DEPOSIT_ISSUED'
  | 'DEPOSIT_EXPIRED'
  | 'DEPOSIT_CANCELLED'
  | 'DEPOSIT_REVERSED'
  | 'CANCEL_REQUESTED'
  | 'CANCEL_REJECTED'
  | 'CANCEL_WITHDRAWN'
  | 'REFUNDED'
  | 'PARTLY_REFUNDED'

/** All transitions of an order. A change that is not listed for a state is ignored. */
export const orderTransitions = {
  DRAFT: { PAID: 'PAYMENT_COMPLETE', PAYMENT_FAILED: 'PAYMENT_FAIL', DEPOSIT_ISSUED: 'DEPOSIT_WAITING' },
  DEPOSIT_WAITING: {
    PAID: 'PAYMENT_COMPLETE',
    DEPOSIT_EXPIRED: 'PAYMENT_FAIL',
    DEPOSIT_CANCELLED: 'CANCEL_COMPLETE',
  },
  PAYMENT_COMPLETE: { DEPOSIT_REVERSED: 'DEPOSIT_WAITING', CANCEL_REQUESTED: 'CANCEL_REQUEST' },
  CANCEL_REQUEST: {
    REFUNDED: 'CANCEL_COMPLETE',
    PARTLY_REFUNDED: 'PAYMENT_COMPLETE',
    CANCEL_REJECTED: 'PAYMENT_COMPLETE',
    CANCEL_WITHDRAWN: 'PAYMENT_COMPLETE',
  },
  PAYMENT_FAIL: {},
  CANCEL_COMPLETE: {},
} as const satisfies Record<OrderState, Partial<Record<OrderChange, OrderStatus>>>

/** Returns the state that follows a change, or null if the table does not list it. */
export const nextOrderState = (state: OrderState, change: OrderChange): OrderStatus | null => {
  const row: Partial<Record<OrderChange, OrderStatus>> = orderTransitions[state]
  return row[change] ?? null
}

/** Crockford's alphabet has no I, L, O or U, so that a code can be read out on the phone. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new order's code: the day in the tenant's time zone and six random characters, `20261121-7F3K9Q`. */
export const newOrderCode = (now: Date, timeZone: string): OrderCode => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const characters = Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)])
  return orderCode.parse(`${day.format(now).replaceAll('-', '')}-${characters.join('')}`)
}

const day = 86_400_000

/** Grants a member the items of an order, in the transaction that settles it. Safe to repeat. */
export const grantOrder = (
  ctx: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Ctx['customer'], 'id'> },
  memberId: MemberId,
  items: readonly OrderItemRow[],
) => {
  const now = ctx.clock.now()
  const grants = items.map((item) => ({
    memberId,
    productId: item.productId,
    orderItemId: item.id,
    source: item.optionType,
    rentalDays: item.days,
    startBy: item.startWithinDays === null ? null : new Date(now.getTime() + item.startWithinDays * day).toISOString(),
  }))
  return insertEntitlements(ctx.db, ctx.customer.id, grants, now)
}
