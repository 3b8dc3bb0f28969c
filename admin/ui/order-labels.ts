import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { OrderStatus, OrderWay, PaymentMethod, RecordedMethod } from '#contract/enumerations.ts'
import type { Statuses } from './status'

export const orderStatuses = {
  PAYMENT_COMPLETE: { label: msg`Paid`, tone: 'success' },
  DEPOSIT_WAITING: { label: msg`Awaiting deposit`, tone: 'warning' },
  CANCEL_REQUEST: { label: msg`Refund requested`, tone: 'warning' },
  CANCEL_COMPLETE: { label: msg`Canceled or refunded`, tone: 'neutral' },
  PAYMENT_FAIL: { label: msg`Not paid`, tone: 'danger' },
} as const satisfies Statuses<OrderStatus>

export const orderWays = {
  CARD: msg`Card`,
  BANK: msg`Bank transfer`,
  RECORDED: msg`Recorded sale`,
  COMPLIMENTARY: msg`Complimentary`,
  FREE: msg`Free of charge`,
} as const satisfies Record<OrderWay, MessageDescriptor>

export const recordedMethods = {
  CASH: msg`Cash`,
  TRANSFER: msg`Transfer to the store`,
  TERMINAL: msg`Card terminal of the store`,
  OTHER: msg`Other`,
} as const satisfies Record<RecordedMethod, MessageDescriptor>

export const paymentMethods = {
  CARD: msg`Card`,
  BANK: msg`Bank transfer`,
} as const satisfies Record<PaymentMethod, MessageDescriptor>
