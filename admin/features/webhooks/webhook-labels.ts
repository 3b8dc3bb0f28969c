import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { WebhookEndpoint, WebhookEventType, WebhookFailure } from '#contract/admin/webhooks.ts'
import type { WebhookDeliveryStatus } from '#contract/enumerations.ts'
import type { Statuses } from '../../ui/status'

/** What each event says, in the order in which they are chosen. */
export const eventLabels = {
  'order.paid': msg`Order paid`,
  'order.refund_requested': msg`Refund requested`,
  'order.refund_rejected': msg`Refund request rejected`,
  'order.refund_withdrawn': msg`Refund request withdrawn`,
  'order.refunded': msg`Order refunded`,
  'deposit.received': msg`Deposit received`,
  'deposit.reversed': msg`Deposit reversed`,
  'subscription.started': msg`Subscription started`,
  'subscription.renewed': msg`Subscription renewed`,
  'subscription.plan_changed': msg`Plan of a subscription changed`,
  'subscription.paused': msg`Subscription paused`,
  'subscription.resumed': msg`Subscription resumed`,
  'subscription.cancellation_scheduled': msg`Cancellation of a subscription scheduled`,
  'subscription.cancellation_revoked': msg`Cancellation of a subscription revoked`,
  'subscription.ended': msg`Subscription ended`,
  'charge.failed': msg`Charge of a subscription failed`,
  'charge.refunded': msg`Charge of a subscription refunded`,
  'member.joined': msg`Member joined`,
  'member.deleted': msg`Account deleted`,
  'inquiry.received': msg`Inquiry received`,
  'comment.held': msg`Comment held for review`,
  'product.on_sale': msg`Product put on sale`,
} as const satisfies Record<WebhookEventType, MessageDescriptor>

const labelOfEvent = new Map<string, MessageDescriptor>([
  ...Object.entries(eventLabels),
  ['webhook.test', msg`Test event`],
])

/** The label of an event's type; undefined for one of a later release. */
export const eventLabel = (type: string): MessageDescriptor | undefined => labelOfEvent.get(type)

export const deliveryStatuses = {
  QUEUED: { label: msg`Queued`, tone: 'info' },
  DELIVERED: { label: msg`Delivered`, tone: 'success' },
  FAILED: { label: msg`Failed`, tone: 'danger' },
} as const satisfies Statuses<WebhookDeliveryStatus>

const endpointStatuses = {
  ENABLED: { label: msg`Enabled`, tone: 'success' },
  FAILING: { label: msg`Failing`, tone: 'warning' },
  DISABLED: { label: msg`Disabled`, tone: 'neutral' },
} as const satisfies Statuses<string>

/** Whether an endpoint is sent to, and whether it works. */
export const endpointStatus = ({ disabledAt, failingSince }: WebhookEndpoint) => {
  if (disabledAt !== null) return endpointStatuses.DISABLED
  return failingSince === null ? endpointStatuses.ENABLED : endpointStatuses.FAILING
}

/** Why an attempt failed. */
export const failureLabels = {
  STATUS: msg`The endpoint refused it`,
  TIMEOUT: msg`No answer within 10 seconds`,
  NOT_FOUND: msg`The name of the host is not known`,
  ADDRESS_REFUSED: msg`The host is not on the public internet`,
  CONNECTION: msg`No connection`,
  TLS: msg`The certificate or the TLS connection is not valid`,
  DISABLED: msg`The endpoint was disabled`,
} as const satisfies Record<WebhookFailure, MessageDescriptor>
