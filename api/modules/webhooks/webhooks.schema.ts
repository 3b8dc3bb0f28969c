import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { WebhookDisabledReason, WebhookEventType, WebhookFailure } from '#contract/admin/webhooks.ts'
import type { WebhookDeliveryStatus } from '#contract/enumerations.ts'
import type { WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from '#contract/ids.ts'

/** Where a store sends webhooks. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    customerId: customerId(),
    id: id<WebhookEndpointId>(),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    eventTypes: text('event_types').array().$type<WebhookEventType[]>().notNull(),
    /** Encrypted. */
    secret: text('secret').notNull(),
    /** The encrypted secret before; valid until `previousSecretUntil`. */
    previousSecret: text('previous_secret'),
    previousSecretUntil: at('previous_secret_until'),
    /** Since when every attempt has failed. */
    failingSince: at('failing_since'),
    disabledAt: at('disabled_at'),
    disabledReason: text('disabled_reason').$type<WebhookDisabledReason>(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    check('webhook_endpoints_disabled', sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`),
  ],
)

/** The outbox: what happened, as it is sent. Written in the transaction in which it happened. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    customerId: customerId(),
    id: id<WebhookEventId>(),
    type: text('type').$type<WebhookEventType | 'webhook.test'>().notNull(),
    /** The body of the request. A signature is over its bytes, so that it is text. */
    body: text('body').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.id] }), index('webhook_events_oldest').on(t.customerId, t.createdAt)],
)

/**
 * An event for one endpoint. A process that sends it moves `dueAt` to the time when another may
 * try.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    customerId: customerId(),
    id: id<WebhookDeliveryId>(),
    endpointId: uuid('endpoint_id').$type<WebhookEndpointId>().notNull(),
    eventId: uuid('event_id').$type<WebhookEventId>().notNull(),
    status: text('status').$type<WebhookDeliveryStatus>().notNull().default('QUEUED'),
    /** Attempts since it was queued or replayed. */
    attempts: integer('attempts').notNull().default(0),
    failure: text('failure').$type<WebhookFailure>(),
    responseStatus: integer('response_status'),
    dueAt: at('due_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('webhook_deliveries_due').on(t.customerId, t.dueAt).where(sql`status = 'QUEUED'`),
    index('webhook_deliveries_latest').on(t.customerId, t.endpointId, t.createdAt.desc(), t.id.desc()),
    index('webhook_deliveries_event').on(t.customerId, t.eventId),
    foreignKey({
      name: 'webhook_deliveries_endpoint',
      columns: [t.customerId, t.endpointId],
      foreignColumns: [webhookEndpoints.customerId, webhookEndpoints.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'webhook_deliveries_of_event',
      columns: [t.customerId, t.eventId],
      foreignColumns: [webhookEvents.customerId, webhookEvents.id],
    }).onDelete('cascade'),
    check('webhook_deliveries_status', sql`${t.status} in ('QUEUED', 'DELIVERED', 'FAILED')`),
  ],
)

/** Requests that were made. Appended and never changed. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    customerId: customerId(),
    id: id(),
    deliveryId: uuid('delivery_id').$type<WebhookDeliveryId>().notNull(),
    at: at('at').notNull(),
    durationMilliseconds: integer('duration_milliseconds').notNull(),
    url: text('url').notNull(),
    requestHeaders: jsonb('request_headers').$type<Record<string, string>>().notNull(),
    failure: text('failure').$type<WebhookFailure>(),
    responseStatus: integer('response_status'),
    /** The beginning of the response. */
    responseBody: text('response_body').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('webhook_attempts_delivery').on(t.customerId, t.deliveryId, t.at.desc()),
    foreignKey({
      name: 'webhook_attempts_of_delivery',
      columns: [t.customerId, t.deliveryId],
      foreignColumns: [webhookDeliveries.customerId, webhookDeliveries.id],
    }).onDelete('cascade'),
  ],
)
