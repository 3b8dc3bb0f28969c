import type { OrderStatus } from '#contract/enumerations.ts'

/** An order's state; DRAFT is the contract's null: nothing has been paid and nothing has failed. */
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

/** Every transition an order may take. A change that is not listed for a state does not happen. */
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
} as const satisfies Record<OrderState, Partial<Record<OrderChange, OrderState>>>

/** Where a change leads from a state; null where the table does not list it. */
export const nextOrderState = (state: OrderState, change: OrderChange): OrderState | null => {
  const row: Partial<Record<OrderChange, OrderState>> = orderTransitions[state]
  return row[change] ?? null
}
