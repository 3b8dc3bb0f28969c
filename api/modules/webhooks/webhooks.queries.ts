import { and, desc, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { announceChange } from '#api/platform/db/connections.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { WebhookEventType, WebhookFailure } from '#contract/admin/webhooks.ts'
import type { WebhookDeliveryStatus } from '#contract/enumerations.ts'
import type { CustomerId, WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from '#contract/ids.ts'
import {
  webhookAttempts as attempts,
  webhookDeliveries as deliveries,
  webhookEvents as events,
} from './webhooks.schema.ts'

/** The channel that announces due deliveries. The payload is the tenant's id. */
export const webhookChannel = 'marquee_webhooks'

/** Notifies the sending processes when the transaction commits. */
export const announceDeliveries = (db: TenantDb, customerId: CustomerId) =>
  announceChange(db, customerId, 'webhooks', webhookChannel)

/** Whether a tenant has deliveries that are due. */
export const hasDueDeliveries = async (db: TenantDb, customerId: CustomerId, now: Date): Promise<boolean> => {
  const { rows } = await db.$client.query<{ due: boolean }>(
    `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE customer_id = $1 AND status = 'QUEUED' AND due_at <= $2) AS due`,
    [customerId, now.toISOString()],
  )
  return rows[0]?.due ?? false
}

/** Writes an event and one delivery of it for each endpoint. */
export const insertEvent = async (
  db: TenantDb,
  event: typeof events.$inferInsert,
  rows: readonly (typeof deliveries.$inferInsert)[],
) => {
  await db.insert(events).values(event)
  await db.insert(deliveries).values([...rows])
}

/** The endpoints with due deliveries. */
export const readDueEndpoints = async (db: TenantDb, customerId: CustomerId, now: Date) => {
  const { rows } = await db.$client.query<{ id: WebhookEndpointId; isFailing: boolean }>(
    `SELECT DISTINCT e.id, e.failing_since IS NOT NULL AS "isFailing"
       FROM webhook_deliveries d JOIN webhook_endpoints e ON e.customer_id = $1 AND e.id = d.endpoint_id
      WHERE d.customer_id = $1 AND d.status = 'QUEUED' AND d.due_at <= $2`,
    [customerId, now.toISOString()],
  )
  return rows
}

export interface ClaimedDelivery {
  id: WebhookDeliveryId
  eventId: WebhookEventId
  /** Including the one that is now made. */
  attempts: number
  body: string
}

interface Claim {
  endpointId: WebhookEndpointId
  now: Date
  /** When another process may try. */
  until: Date
  max: number
}

/** Claims due deliveries of an endpoint, the longest waiting first. Counts the attempt. */
export const claimDeliveries = async (
  db: TenantDb,
  customerId: CustomerId,
  { endpointId, now, until, max }: Claim,
): Promise<ClaimedDelivery[]> => {
  const { rows } = await db.$client.query<ClaimedDelivery>(
    `WITH claimed AS (
       UPDATE webhook_deliveries SET due_at = $4, attempts = attempts + 1
        WHERE customer_id = $1 AND id IN (
          SELECT id FROM webhook_deliveries
           WHERE customer_id = $1 AND endpoint_id = $2 AND status = 'QUEUED' AND due_at <= $3
           ORDER BY due_at, id LIMIT $5 FOR UPDATE SKIP LOCKED)
       RETURNING id, event_id, attempts)
     SELECT c.id, c.event_id AS "eventId", c.attempts, e.body
       FROM claimed c JOIN webhook_events e ON e.customer_id = $1 AND e.id = c.event_id
      ORDER BY c.id`,
    [customerId, endpointId, now.toISOString(), until.toISOString(), max],
  )
  return rows
}

/** Appends a request that was made. */
export const insertAttempt = async (db: TenantDb, row: typeof attempts.$inferInsert) => {
  await db.insert(attempts).values(row)
}

/** What became of a claimed delivery. */
export interface DeliveryOutcome {
  status: WebhookDeliveryStatus
  failure: WebhookFailure | null
  responseStatus: number | null
  dueAt: string
}

/**
 * Records the outcome of a claimed delivery, unless the claim has ended and another process has it.
 */
export const settleDelivery = async (
  db: TenantDb,
  customerId: CustomerId,
  { id, until }: { id: WebhookDeliveryId; until: Date },
  outcome: Partial<DeliveryOutcome> & { attempts?: number },
) => {
  await db
    .update(deliveries)
    .set(outcome)
    .where(
      and(
        eq(deliveries.customerId, customerId),
        eq(deliveries.id, id),
        eq(deliveries.status, 'QUEUED'),
        eq(deliveries.dueAt, until.toISOString()),
      ),
    )
  await announceChange(db, customerId, 'webhooks')
}

/** Fails what an endpoint has queued, because it was disabled. */
export const failQueuedDeliveries = async (db: TenantDb, customerId: CustomerId, endpointId: WebhookEndpointId) => {
  await db
    .update(deliveries)
    .set({ status: 'FAILED', failure: 'DISABLED', responseStatus: null })
    .where(
      and(
        eq(deliveries.customerId, customerId),
        eq(deliveries.endpointId, endpointId),
        eq(deliveries.status, 'QUEUED'),
      ),
    )
}

const listed = {
  id: deliveries.id,
  eventId: deliveries.eventId,
  type: events.type,
  status: deliveries.status,
  attempts: deliveries.attempts,
  failure: deliveries.failure,
  responseStatus: deliveries.responseStatus,
  createdAt: deliveries.createdAt,
  dueAt: deliveries.dueAt,
}

export interface DeliveryRow {
  id: WebhookDeliveryId
  eventId: WebhookEventId
  type: WebhookEventType | 'webhook.test'
  status: WebhookDeliveryStatus
  attempts: number
  failure: WebhookFailure | null
  responseStatus: number | null
  createdAt: string
  dueAt: string
}

export interface DeliveryPageRow extends DeliveryRow {
  keyset: KeysetPosition
}

/** One more delivery than the page has, the latest first. */
export const readDeliveryPage = async (
  db: TenantDb,
  customerId: CustomerId,
  {
    endpointId,
    status,
    after,
    size,
  }: {
    endpointId: WebhookEndpointId
    status: WebhookDeliveryStatus | null
    after: KeysetPosition | null
    size: number
  },
) => {
  const { rows } = await db.$client.query<DeliveryPageRow>(
    `SELECT jsonb_build_object('at', d.created_at::text, 'id', d.id) AS keyset, d.id, d.event_id AS "eventId", e.type,
            d.status, d.attempts, d.failure, d.response_status AS "responseStatus", d.created_at AS "createdAt",
            d.due_at AS "dueAt"
       FROM webhook_deliveries d JOIN webhook_events e ON e.customer_id = $1 AND e.id = d.event_id
      WHERE d.customer_id = $1 AND d.endpoint_id = $2 AND ($3::text IS NULL OR d.status = $3)
        AND ${after ? '(d.created_at, d.id) < ($4::timestamptz, $5::uuid)' : '$4::timestamptz IS NULL AND $5::uuid IS NULL'}
      ORDER BY d.created_at DESC NULLS LAST, d.id DESC NULLS LAST LIMIT $6`,
    [customerId, endpointId, status, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

/** Returns a delivery of an endpoint with the body of its request, or null. */
export const findDelivery = async (
  db: TenantDb,
  customerId: CustomerId,
  { endpointId, id, lock = false }: { endpointId: WebhookEndpointId; id: WebhookDeliveryId; lock?: boolean },
): Promise<(DeliveryRow & { body: string }) | null> => {
  const query = db
    .select({ ...listed, body: events.body })
    .from(deliveries)
    .innerJoin(events, and(eq(events.customerId, customerId), eq(events.id, deliveries.eventId)))
    .where(and(eq(deliveries.customerId, customerId), eq(deliveries.endpointId, endpointId), eq(deliveries.id, id)))
  const [row] = await (lock ? query.for('update', { of: deliveries }) : query)
  return row ?? null
}

const shownAttempts = 50

/** The latest requests of a delivery. */
export const readAttempts = (db: TenantDb, customerId: CustomerId, id: WebhookDeliveryId) =>
  db
    .select({
      at: attempts.at,
      durationMilliseconds: attempts.durationMilliseconds,
      url: attempts.url,
      requestHeaders: attempts.requestHeaders,
      error: attempts.failure,
      responseStatus: attempts.responseStatus,
      responseBody: attempts.responseBody,
    })
    .from(attempts)
    .where(and(eq(attempts.customerId, customerId), eq(attempts.deliveryId, id)))
    .orderBy(desc(attempts.at), desc(attempts.id))
    .limit(shownAttempts)

/**
 * Queues deliveries of an endpoint again as new: one, or the failed ones since a time, the oldest
 * first. Returns how many.
 */
export const requeueDeliveries = async (
  db: TenantDb,
  customerId: CustomerId,
  {
    endpointId,
    now,
    ...which
  }: { endpointId: WebhookEndpointId; now: Date } & ({ id: WebhookDeliveryId } | { since: string; max: number }),
): Promise<number> => {
  const queued = `UPDATE webhook_deliveries SET status = 'QUEUED', attempts = 0, failure = NULL, due_at = $3
                   WHERE customer_id = $1 AND endpoint_id = $2`
  const values = [customerId, endpointId, now.toISOString()]
  const changed =
    'id' in which
      ? await db.$client.query(`${queued} AND id = $4`, [...values, which.id])
      : await db.$client.query(
          `${queued} AND status = 'FAILED' AND id IN (
             SELECT id FROM webhook_deliveries
              WHERE customer_id = $1 AND endpoint_id = $2 AND status = 'FAILED' AND created_at >= $4
              ORDER BY created_at, id LIMIT $5)`,
          [...values, which.since, which.max],
        )
  return changed.rowCount ?? 0
}

/** Deletes events from before a time with their deliveries. Returns how many. */
export const deleteOldEvents = async (db: TenantDb, customerId: CustomerId, before: Date, max: number) => {
  const { rowCount } = await db.$client.query(
    `DELETE FROM webhook_events WHERE customer_id = $1 AND id IN (
       SELECT id FROM webhook_events WHERE customer_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $3)`,
    [customerId, before.toISOString(), max],
  )
  return rowCount ?? 0
}
