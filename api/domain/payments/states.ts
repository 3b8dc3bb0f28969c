import type { ProviderPayment } from '#api/payments/port.ts'
import type { Payment } from '#contract/orders.ts'

export type PaymentStatus = Payment['status']

/**
 * Payments only move forward; what is not listed is an event that comes too late and is ignored. The one way back is a bank's: a
 * deposit that is reversed, after which the account waits again or is closed.
 */
export const paymentTransitions = {
  READY: ['PROCESSING', 'PAID', 'FAILED', 'CANCELLED'],
  PROCESSING: ['PAID', 'FAILED', 'CANCELLED'],
  PAID: ['READY', 'FAILED'],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>

export const paymentMayBecome = (from: PaymentStatus, to: PaymentStatus) =>
  (paymentTransitions[from] as readonly PaymentStatus[]).includes(to)

/** Why a payment ended without being paid, where the store itself said so. */
export type Closure =
  | 'ABANDONED'
  | 'SUPERSEDED'
  /** Another method was chosen: the order goes on waiting. */
  | 'METHOD_CHANGED'
  | 'DEPOSIT_EXPIRED'
  | 'CANCELLED_BY_MEMBER'

/** What a payment at the provider means for the order that waits for it. */
export const verdictOf = (
  payment: Pick<ProviderPayment, 'status' | 'amount'>,
  due: { amount: number; currency: string },
): 'PAID' | 'FAILED' | 'WAITING' | 'AMOUNT_MISMATCH' => {
  switch (payment.status) {
    case 'PAID':
      return payment.amount.amount === due.amount && payment.amount.currency === due.currency
        ? 'PAID'
        : 'AMOUNT_MISMATCH'
    case 'FAILED':
    case 'CANCELLED':
      return 'FAILED'
    case 'READY':
    case 'PROCESSING':
      return 'WAITING'
    default:
      return payment.status satisfies never
  }
}
