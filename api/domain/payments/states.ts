import type { ProviderPayment } from '#api/payments/port.ts'
import type { Payment } from '#contract/orders.ts'

export type PaymentStatus = Payment['status']

/** Payments only move forward; what is not listed is an event that comes too late and is ignored. */
export const paymentTransitions = {
  READY: ['PROCESSING', 'PAID', 'FAILED', 'CANCELLED'],
  PROCESSING: ['PAID', 'FAILED', 'CANCELLED'],
  PAID: ['CANCELLED'],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>

export const paymentMayBecome = (from: PaymentStatus, to: PaymentStatus) =>
  (paymentTransitions[from] as readonly PaymentStatus[]).includes(to)

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
