import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { OrderStatus, PaymentMethod } from '#contract/enumerations.ts'
import type { Statuses } from './status'

export const orderStatuses = {
  PAYMENT_COMPLETE: { label: msg`Paid`, tone: 'success' },
  DEPOSIT_WAITING: { label: msg`Awaiting deposit`, tone: 'warning' },
  CANCEL_REQUEST: { label: msg`Refund requested`, tone: 'warning' },
  CANCEL_COMPLETE: { label: msg`Refunded`, tone: 'neutral' },
  PAYMENT_FAIL: { label: msg`Not paid`, tone: 'danger' },
} as const satisfies Statuses<OrderStatus>

export const paymentMethods = {
  CARD: msg`Card`,
  BANK: msg`Bank transfer`,
} as const satisfies Record<PaymentMethod, MessageDescriptor>
