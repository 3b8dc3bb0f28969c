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
  PAYMENT_FAIL: { label: msg`Not paid`, tone: 'danger' },
  DEPOSIT_WAITING: { label: msg`Waiting for the deposit`, tone: 'warning' },
  CANCEL_REQUEST: { label: msg`Refund asked for`, tone: 'info' },
  CANCEL_COMPLETE: { label: msg`Cancelled or refunded`, tone: 'neutral' },
} as const satisfies Record<OrderStatus, StatusWords>

const draft: StatusWords = { label: msg`Payment not finished`, tone: 'warning' }
const partlyRefunded: StatusWords = { label: msg`Partly refunded`, tone: 'success' }
const refunded: StatusWords = { label: msg`Refunded`, tone: 'neutral' }
const cancelled: StatusWords = { label: msg`Cancelled`, tone: 'neutral' }

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
  PLACED: msg`Ordered`,
  PAYMENT_STARTED: msg`Payment begun`,
  PAID: msg`Paid`,
  FAILED: msg`Payment failed`,
  DEPOSIT_ISSUED: msg`Account for the deposit given`,
  DEPOSIT_REVERSED: msg`The bank took the deposit back`,
  METHOD_CHANGED: msg`Way of paying changed`,
  CANCEL_REQUESTED: msg`Refund asked for`,
  CANCEL_TAKEN_BACK: msg`Refund request taken back`,
  CANCEL_REJECTED: msg`Refund refused`,
  CANCEL_ACCEPTED: msg`Refund accepted`,
  REFUND_BY_STORE: msg`Refund started by the store`,
  REFUND_FAILED: msg`The refund did not go through yet`,
  PARTLY_REFUNDED: msg`Partly refunded`,
  UNDUE_MONEY: msg`Money came that was not due`,
  UNDUE_MONEY_RETURNED: msg`Money that was not due given back`,
  REFUNDED: msg`Refunded`,
  CANCELLED: msg`Cancelled`,
} as const satisfies Record<Order['timeline'][number]['type'], MessageDescriptor>
