import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { queueMail } from '#api/modules/mail/mails.ts'
import { webhookDisabledMail } from '#api/modules/staff/mails/staff-mails.ts'
import { permissionsOf } from '#api/modules/staff/staff-roles.ts'
import { audit } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Clock, Customer, EventCtx } from '#api/platform/context.ts'
import { decrypt } from '#api/platform/crypto.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { announceChange } from '#api/platform/db/connections.ts'
import { postToPublic, type RequestResult } from '#api/platform/http/public-requests.ts'
import type { WebhookDisabledReason, WebhookFailure } from '#contract/admin/webhooks.ts'
import type { WebhookEndpointId } from '#contract/ids.ts'
import { type EndpointRow, findEndpoint, readStaffToNotify, updateEndpoint } from './endpoints.queries.ts'
import { type EndpointDeps, endpointEncryption, endpointSubject } from './endpoints.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  failQueuedDeliveries,
  insertAttempt,
  settleDelivery,
} from './webhooks.queries.ts'

const minute = 60_000
/** Milliseconds for one request, from the name of the host to the end of the response. */
const requestTimeout = 10_000
/** How much of a response the log has. */
const maxResponseBytes = 2_000
/**
 * How long a process owns a claimed delivery. If it dies, another one sends the same request with
 * the same `webhook-id`.
 */
const claimMilliseconds = minute
/** Requests to one endpoint at once. One that fails gets a single one. */
const requestsAtOnce = 5

/** Delays by the number of attempts: three days in all. After the last the delivery has failed. */
const waits = [1, 5, 30, 120, 300, 600, 840, 1200, 1200].map((minutes) => minutes * minute)
/** Delays grow by a random part of this size, so that endpoints are not asked by all at once. */
const jitter = 0.1
/** How long an endpoint fails until it is disabled. */
const failingMilliseconds = 5 * dayMilliseconds

/** Returns the signature of a request, in the form of Standard Webhooks. */
export const signRequest = (
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
) => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The context of sending one store's webhooks. */
export interface SendCtx extends EndpointDeps {
  customer: Customer
  clock: Clock
  log: Logger
  inTransaction: <Answer>(work: (db: TenantDb) => Promise<Answer>) => Promise<Answer>
  /** Ends requests that are under way when the process stops. */
  signal: AbortSignal
}

/** The secrets that sign a request now: the present one, and the one before for a day. */
const secretsOf = ({ secret, clock }: SendCtx, endpoint: EndpointRow): string[] => {
  const { previousSecret, previousSecretUntil } = endpoint
  const isPreviousValid = previousSecretUntil !== null && Date.parse(previousSecretUntil) > clock.now().getTime()
  const stored = [endpoint.secret, ...(previousSecret !== null && isPreviousValid ? [previousSecret] : [])]
  return stored.map((encrypted) => decrypt(endpointEncryption(secret), encrypted))
}

interface Attempt {
  at: Date
  durationMilliseconds: number
  requestHeaders: Record<string, string>
  result: RequestResult
}

const post = async (ctx: SendCtx, endpoint: EndpointRow, { eventId, body }: ClaimedDelivery): Promise<Attempt> => {
  const at = ctx.clock.now()
  const signed = { id: eventId, timestamp: Math.floor(at.getTime() / 1000), body }
  const requestHeaders = {
    'webhook-id': eventId,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secretsOf(ctx, endpoint)
      .map((secret) => signRequest(secret, signed))
      .join(' '),
  }
  const startedAt = performance.now()
  const result = await postToPublic(ctx.publicRequests, {
    url: endpoint.url,
    headers: { 'content-type': 'application/json', 'user-agent': 'Marquee-Webhooks', ...requestHeaders },
    body,
    timeout: ctx.publicRequests.timeout ?? requestTimeout,
    maxResponseBytes,
    signal: ctx.signal,
  })
  return { at, durationMilliseconds: Math.round(performance.now() - startedAt), requestHeaders, result }
}

const failureOf = ({ status, failure }: RequestResult): WebhookFailure | null => {
  if (status === null) return failure
  return status >= 200 && status < 300 ? null : 'STATUS'
}

const nextDueAt = (now: Date, attempts: number): string | null => {
  const wait = waits[attempts - 1]
  return wait === undefined ? null : new Date(now.getTime() + wait * (1 + Math.random() * jitter)).toISOString()
}

/**
 * Disables an endpoint by rule, and notifies the people of the store who can change it. What it has
 * queued fails, and can be replayed. Requires the endpoint's lock.
 */
const disable = async (ctx: EventCtx, endpoint: EndpointRow, reason: Exclude<WebhookDisabledReason, 'STAFF'>) => {
  const { db, customer, clock } = ctx
  const { id, url } = endpoint
  await updateEndpoint(db, customer.id, id, { disabledAt: clock.now().toISOString(), disabledReason: reason })
  await failQueuedDeliveries(db, customer.id, id)
  // The first screen counts disabled endpoints.
  await announceChange(db, customer.id, 'home')
  const changes = { enabled: { from: true, to: false } }
  const subject = endpointSubject(id)
  await audit(ctx, { actor: 'rule', action: 'webhook.disabled', subject, changes, detail: { reason } })
  for (const person of await readStaffToNotify(db, customer.id)) {
    if (!permissionsOf(customer, person).includes('webhooks:write')) continue
    const data = { url, reason, path: `/admin/webhooks/${id}` }
    await queueMail(ctx, {
      template: webhookDisabledMail,
      to: person.email,
      memberId: null,
      locale: person.locale,
      data,
    })
  }
}

/** Records an attempt, and what follows from it for the delivery and its endpoint. */
const record = (ctx: SendCtx, endpointId: WebhookEndpointId, claim: ClaimedDelivery & { until: Date }, made: Attempt) =>
  ctx.inTransaction(async (db) => {
    const { customer, clock } = ctx
    const endpoint = await findEndpoint(db, customer.id, endpointId, { lock: true })
    if (!endpoint) return
    const now = clock.now()
    const { status, body } = made.result
    const failure = failureOf(made.result)
    await insertAttempt(db, {
      customerId: customer.id,
      id: newId(),
      deliveryId: claim.id,
      at: made.at.toISOString(),
      durationMilliseconds: made.durationMilliseconds,
      url: endpoint.url,
      requestHeaders: made.requestHeaders,
      failure,
      responseStatus: status,
      responseBody: body,
    })
    const isGone = status === 410
    const dueAt = failure === null || isGone ? null : nextDueAt(now, claim.attempts)
    await settleDelivery(db, customer.id, claim, {
      status: failure === null ? 'DELIVERED' : dueAt === null ? 'FAILED' : 'QUEUED',
      failure,
      responseStatus: status,
      ...(dueAt !== null && { dueAt }),
    })
    if (endpoint.disabledAt !== null) return
    if (failure === null) {
      if (endpoint.failingSince !== null) await updateEndpoint(db, customer.id, endpointId, { failingSince: null })
      return
    }
    const failingSince = endpoint.failingSince ?? now.toISOString()
    if (endpoint.failingSince === null) await updateEndpoint(db, customer.id, endpointId, { failingSince })
    if (isGone) await disable({ db, customer, clock }, endpoint, 'GONE')
    else if (now.getTime() - Date.parse(failingSince) >= failingMilliseconds)
      await disable({ db, customer, clock }, endpoint, 'FAILING')
  })

const send = async (ctx: SendCtx, endpoint: EndpointRow, claim: ClaimedDelivery & { until: Date }) => {
  const { customer, clock, signal } = ctx
  const made = await post(ctx, endpoint, claim).catch((error: unknown) => {
    if (!signal.aborted) throw error
    return null
  })
  if (made) return record(ctx, endpoint.id, claim, made)
  // The process stops. Another one may send it at once.
  const dueAt = clock.now().toISOString()
  await ctx.inTransaction((db) => settleDelivery(db, customer.id, claim, { dueAt, attempts: claim.attempts - 1 }))
}

/**
 * Sends some of the due deliveries of an endpoint at once, and records what became of them.
 *
 * @returns whether more may be due, and whether the endpoint is failing.
 */
export const sendBatch = async (
  ctx: SendCtx,
  endpointId: WebhookEndpointId,
): Promise<{ hasMore: boolean; isFailing: boolean }> => {
  const { customer, clock, inTransaction } = ctx
  const now = clock.now()
  const until = new Date(now.getTime() + claimMilliseconds)
  const begun = await inTransaction(async (db) => {
    const endpoint = await findEndpoint(db, customer.id, endpointId)
    if (!endpoint) return null
    if (endpoint.disabledAt !== null) {
      // Queued by a transaction that began while it was enabled.
      await failQueuedDeliveries(db, customer.id, endpointId)
      return null
    }
    const max = endpoint.failingSince === null ? requestsAtOnce : 1
    return { endpoint, max, claimed: await claimDeliveries(db, customer.id, { endpointId, now, until, max }) }
  })
  if (!begun) return { hasMore: false, isFailing: false }
  const { endpoint, max, claimed } = begun
  await Promise.all(claimed.map((claim) => send(ctx, endpoint, { ...claim, until })))
  return { hasMore: claimed.length === max, isFailing: endpoint.failingSince !== null }
}
