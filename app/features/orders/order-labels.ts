import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type OrderStatus, orderStatus } from '#contract/enumerations.ts'
import type { Order, OrderSummary } from '#contract/orders.ts'
import { refusalMessages } from '~/platform/api/failures'

type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

interface StatusLabel {
  label: MessageDescriptor
  tone: Tone
}

const statuses = {
  PAYMENT_COMPLETE: { label: msg`Paid`, tone: 'success' },
  PAYMENT_FAIL: { label: msg`Unpaid`, tone: 'danger' },
  DEPOSIT_WAITING: { label: msg`Awaiting transfer`, tone: 'warning' },
  CANCEL_REQUEST: { label: msg`Refund requested`, tone: 'info' },
  CANCEL_COMPLETE: { label: msg`Canceled or refunded`, tone: 'neutral' },
} as const satisfies Record<OrderStatus, StatusLabel>

const draft: StatusLabel = { label: msg`Payment incomplete`, tone: 'warning' }
const partlyRefunded: StatusLabel = { label: msg`Partially refunded`, tone: 'success' }
const refunded: StatusLabel = { label: msg`Refunded`, tone: 'neutral' }
const given: StatusLabel = { label: msg`Given by the store`, tone: 'success' }
const revoked: StatusLabel = { label: msg`Revoked by the store`, tone: 'neutral' }
const cancelled: StatusLabel = { label: msg`Canceled`, tone: 'neutral' }

export function statusLabel({
  status,
  refundedAmount,
  complimentary,
}: Pick<OrderSummary, 'status' | 'refundedAmount' | 'complimentary'>): StatusLabel {
  if (status === null) return draft
  if (complimentary) return status === 'PAYMENT_COMPLETE' ? given : revoked
  if (status === 'PAYMENT_COMPLETE' && refundedAmount.amount > 0) return partlyRefunded
  if (status === 'CANCEL_COMPLETE') return refundedAmount.amount > 0 ? refunded : cancelled
  return statuses[status]
}

/** The choices of the status filter. */
export const statusChoices = orderStatus.options.map((value) => ({
  value,
  label: statuses[value].label,
}))

const eventLabels = {
  PLACED: msg`Order placed`,
  PAYMENT_STARTED: msg`Payment started`,
  PAID: msg`Paid`,
  FAILED: msg`Payment failed`,
  DEPOSIT_ISSUED: msg`Bank account issued`,
  DEPOSIT_REVERSED: msg`Transfer reversed by the bank`,
  METHOD_CHANGED: msg`Payment method changed`,
  CANCEL_REQUESTED: msg`Refund requested`,
  CANCEL_WITHDRAWN: msg`Refund request withdrawn`,
  CANCEL_REJECTED: msg`Refund declined`,
  CANCEL_ACCEPTED: msg`Refund approved`,
  REFUND_BY_STORE: msg`Refund started by the store`,
  REFUND_FAILED: msg`Refund delayed`,
  PARTLY_REFUNDED: msg`Partially refunded`,
  UNAPPLIED_PAYMENT: msg`Unexpected payment received`,
  UNAPPLIED_PAYMENT_REFUNDED: msg`Unexpected payment refunded`,
  UNAPPLIED_PAYMENT_APPLIED: msg`Unexpected payment used for an order`,
  REFUNDED: msg`Refunded`,
  CANCELLED: msg`Canceled`,
} as const satisfies Record<Order['timeline'][number]['type'], MessageDescriptor>

/** What an event of an order was. Staff may have undone a transfer that never came. */
export const eventLabel = ({ type, detail }: Order['timeline'][number]): MessageDescriptor =>
  type === 'DEPOSIT_REVERSED' && detail === 'UNDONE' ? msg`Payment undone by the store` : eventLabels[type]

/** Statuses whose errors are shown beside the button. Field errors are shown at their fields. */
export const handledInline = [0, 400, 403, 404, 409, 410, 429, 500, 502, 503, 504]

/** The message of a refused write of an order, by problem code. */
export const orderProblem = refusalMessages({
  byCode: {
    PRICE_CHANGED: msg`The amount has changed. Review it before you confirm.`,
    CANCEL_NOT_POSSIBLE: msg`This is no longer possible. The order’s current status is shown here.`,
    NOT_READY: msg`One of these titles isn’t available yet, so this order can’t be paid for.`,
    ORDER_NOT_PAYABLE: msg`This order can no longer be paid. To buy again, place a new order.`,
    ALREADY_OWNED: msg`You already own one of these titles, so you haven’t been charged.`,
    VALIDATION_FAILED: msg`Some of the details aren’t valid. Check them and try again.`,
    RATE_LIMITED: msg`Too many requests. Wait a minute and try again.`,
  },
  unreachable: msg`We can’t reach the payment service. Nothing has changed. Try again in a moment.`,
  otherwise: msg`Something went wrong. Nothing has changed. Try again in a moment.`,
})
