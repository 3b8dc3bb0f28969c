import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { OrderStatus } from '#contract/enumerations.ts'
import type { Order, OrderSummary } from '#contract/orders.ts'

type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

interface StatusWords {
  label: MessageDescriptor
  tone: Tone
}

/** An order's status as people say it. */
const statuses = {
  PAYMENT_COMPLETE: { label: msg`Paid`, tone: 'success' },
  PAYMENT_FAIL: { label: msg`Unpaid`, tone: 'danger' },
  DEPOSIT_WAITING: { label: msg`Awaiting transfer`, tone: 'warning' },
  CANCEL_REQUEST: { label: msg`Refund requested`, tone: 'info' },
  CANCEL_COMPLETE: { label: msg`Canceled or refunded`, tone: 'neutral' },
} as const satisfies Record<OrderStatus, StatusWords>

const draft: StatusWords = { label: msg`Payment incomplete`, tone: 'warning' }
const partlyRefunded: StatusWords = { label: msg`Partially refunded`, tone: 'success' }
const refunded: StatusWords = { label: msg`Refunded`, tone: 'neutral' }
const cancelled: StatusWords = { label: msg`Canceled`, tone: 'neutral' }

/** The word for where an order stands. */
export function statusWords({ status, refundedAmount }: Pick<OrderSummary, 'status' | 'refundedAmount'>): StatusWords {
  if (status === null) return draft
  if (status === 'PAYMENT_COMPLETE' && refundedAmount.amount > 0) return partlyRefunded
  if (status === 'CANCEL_COMPLETE') return refundedAmount.amount > 0 ? refunded : cancelled
  return statuses[status]
}

/** The choices of the status filter, in the order things happen. */
export const statusChoices = (Object.keys(statuses) as OrderStatus[]).map((value) => ({
  value,
  label: statuses[value].label,
}))

/** The money timeline's events. */
export const eventWords = {
  PLACED: msg`Order placed`,
  PAYMENT_STARTED: msg`Payment started`,
  PAID: msg`Paid`,
  FAILED: msg`Payment failed`,
  DEPOSIT_ISSUED: msg`Bank account issued`,
  DEPOSIT_REVERSED: msg`Transfer reversed by the bank`,
  METHOD_CHANGED: msg`Payment method changed`,
  CANCEL_REQUESTED: msg`Refund requested`,
  CANCEL_TAKEN_BACK: msg`Refund request withdrawn`,
  CANCEL_REJECTED: msg`Refund declined`,
  CANCEL_ACCEPTED: msg`Refund approved`,
  REFUND_BY_STORE: msg`Refund started by the store`,
  REFUND_FAILED: msg`Refund delayed`,
  PARTLY_REFUNDED: msg`Partially refunded`,
  UNAPPLIED_PAYMENT: msg`Unexpected payment received`,
  UNAPPLIED_PAYMENT_REFUNDED: msg`Unexpected payment refunded`,
  REFUNDED: msg`Refunded`,
  CANCELLED: msg`Canceled`,
} as const satisfies Record<Order['timeline'][number]['type'], MessageDescriptor>
