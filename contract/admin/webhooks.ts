import * as z from 'zod/mini'
import { webhookDeliveryStatus } from '../enumerations.ts'
import { webhookDeliveryId, webhookEndpointId, webhookEventId } from '../ids.ts'
import { requiredText, textUpTo } from '../text.ts'
import { auditEntry } from './audit.ts'
import { exportedColumns, keysetPage, keysetQuery } from './lists.ts'

/** What an endpoint can be told. `docs/guides/webhooks.md` describes the data of each. */
export const webhookEventType = z.enum([
  'order.paid',
  'order.refund_requested',
  'order.refund_rejected',
  'order.refund_withdrawn',
  'order.refunded',
  'deposit.received',
  'deposit.reversed',
  'subscription.started',
  'subscription.renewed',
  'subscription.plan_changed',
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancellation_scheduled',
  'subscription.cancellation_revoked',
  'subscription.ended',
  'charge.failed',
  'charge.refunded',
  'member.joined',
  'member.deleted',
  'inquiry.received',
  'comment.held',
  'product.on_sale',
])
export type WebhookEventType = z.output<typeof webhookEventType>

/** GONE: the endpoint answered 410. FAILING: it has failed for days. */
const webhookDisabledReason = z.enum(['STAFF', 'GONE', 'FAILING'])
export type WebhookDisabledReason = z.output<typeof webhookDisabledReason>

/**
 * Why an attempt failed. STATUS: the endpoint answered another status than 2xx. ADDRESS_REFUSED:
 * the name of the host leads to an address that is not public. DISABLED: the endpoint was disabled
 * before this attempt.
 */
const webhookFailure = z.enum(['STATUS', 'TIMEOUT', 'NOT_FOUND', 'ADDRESS_REFUSED', 'CONNECTION', 'TLS', 'DISABLED'])
export type WebhookFailure = z.output<typeof webhookFailure>

const endpointFields = {
  url: requiredText(2000),
  description: textUpTo(200),
  eventTypes: z.array(webhookEventType).check(z.minLength(1)),
}

/** An endpoint of the store, in a list. */
const webhookEndpoint = z.object({
  id: webhookEndpointId,
  url: z.string(),
  description: z.string(),
  eventTypes: z.array(webhookEventType),
  /** Null while it is enabled. */
  disabledReason: z.nullable(webhookDisabledReason),
  disabledAt: z.nullable(z.iso.datetime()),
  /** Since when every attempt has failed; null if the last one was delivered. */
  failingSince: z.nullable(z.iso.datetime()),
  /** Until when a request is also signed with the secret before the present one. */
  previousSecretUntil: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
})
export type WebhookEndpoint = z.output<typeof webhookEndpoint>

export const webhookEndpoints = z.object({
  items: z.array(webhookEndpoint),
  /** The greatest number of endpoints of a store. */
  limit: z.int(),
})

export const webhookEndpointView = z.extend(webhookEndpoint, {
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  history: z.array(auditEntry),
})
export type WebhookEndpointView = z.output<typeof webhookEndpointView>

export const webhookPath = z.object({ id: webhookEndpointId })
export const webhookCreate = z.object({
  ...endpointFields,
  description: z._default(endpointFields.description, ''),
})
export const webhookChange = z.object({
  id: webhookEndpointId,
  url: z.optional(endpointFields.url),
  description: z.optional(endpointFields.description),
  eventTypes: z.optional(endpointFields.eventTypes),
  enabled: z.optional(z.boolean()),
})

/** `secret` is returned once. It begins with `whsec_`, as Standard Webhooks has it. */
export const webhookCreated = z.extend(webhookEndpointView, { secret: z.string() })
export const webhookSecret = z.object({
  secret: z.string(),
  /** Until when requests are signed with the former secret as well. */
  previousSecretUntil: z.iso.datetime(),
})

export const webhookDelivery = z.object({
  id: webhookDeliveryId,
  /** The id of the event, which the request has as `webhook-id`. */
  eventId: webhookEventId,
  /** A `WebhookEventType`, or `webhook.test`. */
  type: z.string(),
  status: webhookDeliveryStatus,
  /** Attempts since it was queued or replayed. */
  attempts: z.int(),
  /** Of the last attempt. */
  error: z.nullable(webhookFailure),
  /** The status of the last response; null without one. */
  responseStatus: z.nullable(z.int()),
  createdAt: z.iso.datetime(),
  /** When the next attempt is due; null if there is none. */
  dueAt: z.nullable(z.iso.datetime()),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

const deliveryFilters = { id: webhookEndpointId, status: z.optional(webhookDeliveryStatus) }
export const webhookDeliveryQuery = z.object({ ...deliveryFilters, ...keysetQuery })
export const webhookDeliveryExport = z.object({ ...deliveryFilters, columns: exportedColumns })
export const webhookDeliveryPage = keysetPage(webhookDelivery)
export const webhookDeliveryPath = z.object({ id: webhookEndpointId, deliveryId: webhookDeliveryId })

const webhookAttempt = z.object({
  at: z.iso.datetime(),
  durationMilliseconds: z.int(),
  url: z.string(),
  /** The headers of the signature. */
  requestHeaders: z.record(z.string(), z.string()),
  error: z.nullable(webhookFailure),
  responseStatus: z.nullable(z.int()),
  /** The beginning of the response. */
  responseBody: z.string(),
})
export type WebhookAttempt = z.output<typeof webhookAttempt>

export const webhookDeliveryView = z.extend(webhookDelivery, {
  /** The body of the request. */
  body: z.string(),
  /** The latest first. */
  tries: z.array(webhookAttempt),
})
export type WebhookDeliveryView = z.output<typeof webhookDeliveryView>

export const webhookReplay = z.object({ id: webhookEndpointId, since: z.iso.datetime() })
export const webhookReplayed = z.object({
  /** How many deliveries were queued again, at most 10,000. */
  queued: z.int(),
})
