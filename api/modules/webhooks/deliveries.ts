import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type EventCtx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { WebhookDelivery, WebhookDeliveryView, WebhookEventType } from '#contract/admin/webhooks.ts'
import type { WebhookDeliveryStatus } from '#contract/enumerations.ts'
import type { WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from '#contract/ids.ts'
import { type EndpointRow, findEndpoint, lockSubscribedEndpoints } from './endpoints.queries.ts'
import { endpointSubject } from './endpoints.ts'
import {
  announceDeliveries,
  type DeliveryRow,
  findDelivery,
  insertEvent,
  readAttempts,
  readDeliveryPage,
  requeueDeliveries,
} from './webhooks.queries.ts'

/** Increases when a program has to be changed to read the body. Added fields do not count. */
const bodyVersion = 1

/**
 * Writes an event to the outbox, with a delivery for each endpoint, in the transaction in which it
 * happened. Returns the ids of the deliveries in the order of the endpoints.
 */
const writeEvent = async (
  { db, customer, clock }: EventCtx,
  type: WebhookEventType | 'webhook.test',
  data: object,
  endpointIds: readonly WebhookEndpointId[],
) => {
  const id = newId<WebhookEventId>()
  const createdAt = clock.now().toISOString()
  const body = JSON.stringify({ id, type, version: bodyVersion, timestamp: createdAt, store: customer.code, data })
  const deliveries = endpointIds.map((endpointId) => ({
    customerId: customer.id,
    id: newId<WebhookDeliveryId>(),
    endpointId,
    eventId: id,
    dueAt: createdAt,
    createdAt,
  }))
  await insertEvent(db, { customerId: customer.id, id, type, body, createdAt }, deliveries)
  await announceDeliveries(db, customer.id)
  return deliveries.map((delivery) => delivery.id)
}

/** Returns the handler that sends an event to the endpoints which want it. */
export const publish =
  (type: WebhookEventType) =>
  async (ctx: EventCtx, data: object): Promise<void> => {
    const endpointIds = await lockSubscribedEndpoints(ctx.db, ctx.customer.id, type)
    if (endpointIds.length > 0) await writeEvent(ctx, type, data, endpointIds)
  }

const viewInList = ({ dueAt, status, failure: error, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  error,
  status,
  dueAt: status === 'QUEUED' ? dueAt : null,
})

interface DeliveryQuery {
  id: WebhookEndpointId
  status?: WebhookDeliveryStatus | undefined
  cursor?: string | undefined
  size: number
}

/**
 * A page of the deliveries of an endpoint, latest first. Failures: NOT_FOUND, VALIDATION_FAILED for
 * an invalid cursor.
 */
export const pageDeliveries = async ({ db, customer }: Ctx, { id, status, cursor, size }: DeliveryQuery) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  if (!(await findEndpoint(db, customer.id, id))) return failure('NOT_FOUND')
  const rows = await readDeliveryPage(db, customer.id, { endpointId: id, status: status ?? null, after, size })
  const { items, nextCursor } = keysetPageOf(rows, size)
  return { items: items.map(viewInList), nextCursor }
}

interface DeliveryPath {
  id: WebhookEndpointId
  deliveryId: WebhookDeliveryId
}

/** A delivery with the body of its request and its latest attempts. Failure: NOT_FOUND. */
export const viewDelivery = async (
  { db, customer }: Ctx,
  { id, deliveryId }: DeliveryPath,
): Promise<WebhookDeliveryView | Failure> => {
  const row = await findDelivery(db, customer.id, { endpointId: id, id: deliveryId })
  if (!row) return failure('NOT_FOUND')
  const { body, ...delivery } = row
  return { ...viewInList(delivery), body, tries: await readAttempts(db, customer.id, deliveryId) }
}

/**
 * Locks an endpoint that can be sent to. Failures: NOT_FOUND, CONFLICT while it is disabled.
 */
const lockEnabled = async ({ db, customer, locale }: Ctx, id: WebhookEndpointId): Promise<EndpointRow | Failure> => {
  const endpoint = await findEndpoint(db, customer.id, id, { lock: true })
  if (!endpoint) return failure('NOT_FOUND')
  if (endpoint.disabledAt === null) return endpoint
  const i18n = messagesOf(locale)
  return failure('CONFLICT', { errors: { id: [i18n._('Enable the endpoint first.')] } })
}

const viewOne = async ({ db, customer }: Ctx, { id, deliveryId }: DeliveryPath) => {
  const row = await findDelivery(db, customer.id, { endpointId: id, id: deliveryId })
  if (!row) return failure('NOT_FOUND')
  const { body: _, ...delivery } = row
  return viewInList(delivery)
}

/** Sends a test event to an endpoint. Failures: NOT_FOUND, CONFLICT while it is disabled. */
export const sendTestEvent = async (ctx: Ctx, id: WebhookEndpointId): Promise<WebhookDelivery | Failure> => {
  const endpoint = await lockEnabled(ctx, id)
  if (isFailure(endpoint)) return endpoint
  const [deliveryId] = await writeEvent(ctx, 'webhook.test', { endpointId: id }, [id])
  return deliveryId ? viewOne(ctx, { id, deliveryId }) : failure('NOT_FOUND')
}

/**
 * Sends a delivery again, with all its attempts. Failures: NOT_FOUND, CONFLICT while it is queued
 * or the endpoint is disabled.
 */
export const replayDelivery = async (
  ctx: Ctx,
  by: AuditActor,
  path: DeliveryPath,
): Promise<WebhookDelivery | Failure> => {
  const { db, customer, clock, locale } = ctx
  const { id, deliveryId } = path
  const endpoint = await lockEnabled(ctx, id)
  if (isFailure(endpoint)) return endpoint
  const row = await findDelivery(db, customer.id, { endpointId: id, id: deliveryId, lock: true })
  if (!row) return failure('NOT_FOUND')
  const i18n = messagesOf(locale)
  if (row.status === 'QUEUED')
    return failure('CONFLICT', { errors: { deliveryId: [i18n._('This delivery is queued already.')] } })
  await requeueDeliveries(db, customer.id, { endpointId: id, now: clock.now(), id: deliveryId })
  await announceDeliveries(db, customer.id)
  const detail = { deliveryId, type: row.type }
  await audit(ctx, { actor: by, action: 'webhook.replayed', subject: endpointSubject(id), detail })
  return viewOne(ctx, path)
}

/** Deliveries of one replay, so that its statement does not run for long. */
const maxReplayed = 10_000

/**
 * Sends all failed deliveries since a time again. Failures: NOT_FOUND, CONFLICT while the endpoint
 * is disabled.
 */
export const replayFailed = async (
  ctx: Ctx,
  by: AuditActor,
  { id, since }: { id: WebhookEndpointId; since: string },
): Promise<{ queued: number } | Failure> => {
  const { db, customer, clock } = ctx
  const endpoint = await lockEnabled(ctx, id)
  if (isFailure(endpoint)) return endpoint
  const queued = await requeueDeliveries(db, customer.id, { endpointId: id, now: clock.now(), since, max: maxReplayed })
  if (queued === 0) return { queued }
  await announceDeliveries(db, customer.id)
  await audit(ctx, { actor: by, action: 'webhook.replayed', subject: endpointSubject(id), detail: { since, queued } })
  return { queued }
}
