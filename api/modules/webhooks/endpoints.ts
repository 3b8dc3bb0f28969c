import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { encrypt, secretFor } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { hostOf, isAllowedAddress, type PublicRequestDeps } from '#api/platform/http/public-requests.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { WebhookEndpoint, WebhookEndpointView, WebhookEventType } from '#contract/admin/webhooks.ts'
import type { WebhookEndpointId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import {
  deleteEndpointRow,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  lockEndpoints,
  readEndpoints,
  updateEndpoint,
} from './endpoints.queries.ts'
import { failQueuedDeliveries } from './webhooks.queries.ts'

/** The greatest number of endpoints of a store: each of its events is sent to all of them. */
const maxEndpoints = 20
/** How long the secret before the present one is still valid. */
const previousSecretMilliseconds = dayMilliseconds
const secretBytes = 32

/** The secret that encrypts the secrets of endpoints. */
export const endpointEncryption = (secret: string) => secretFor(secret, 'sealed columns')

/** Returns the subject of an endpoint in the audit log. */
export const endpointSubject = (id: WebhookEndpointId) => `webhook:${id}`

const newSecret = () => `whsec_${randomBytes(secretBytes).toString('base64')}`

/** What operators change of an endpoint, for the audit log. */
const factsOf = ({ url, description, eventTypes, disabledAt }: EndpointRow) => ({
  url,
  description,
  eventTypes,
  enabled: disabledAt === null,
})

const versionOfEndpoint = (row: EndpointRow) => versionOf([factsOf(row), row.secret])

const viewInList = (
  {
    id,
    url,
    description,
    eventTypes,
    disabledAt,
    disabledReason,
    failingSince,
    previousSecretUntil,
    createdAt,
  }: EndpointRow,
  now: Date,
): WebhookEndpoint => ({
  id,
  url,
  description,
  eventTypes,
  disabledAt,
  disabledReason,
  failingSince,
  previousSecretUntil:
    previousSecretUntil !== null && Date.parse(previousSecretUntil) > now.getTime() ? previousSecretUntil : null,
  createdAt,
})

const viewOf = async (ctx: Ctx, row: EndpointRow): Promise<WebhookEndpointView> => ({
  ...viewInList(row, ctx.clock.now()),
  version: versionOfEndpoint(row),
  history: await historyOf(ctx, endpointSubject(row.id)),
})

/** The endpoints of the store, the oldest first. */
export const listEndpoints = async ({ db, customer, clock }: Ctx) => {
  const rows = await readEndpoints(db, customer.id)
  return { items: rows.map((row) => viewInList(row, clock.now())), limit: maxEndpoints }
}

/** An endpoint with its version and its history. Failure: NOT_FOUND. */
export const viewEndpoint = async (ctx: Ctx, id: WebhookEndpointId): Promise<WebhookEndpointView | Failure> => {
  const row = await findEndpoint(ctx.db, ctx.customer.id, id)
  return row ? viewOf(ctx, row) : failure('NOT_FOUND')
}

/** Milliseconds for the resolver, after which an address counts as unknown. */
const resolverTimeout = 3_000

const addressesOf = async (host: string, { resolveHost }: PublicRequestDeps): Promise<string[]> => {
  if (isIP(host) !== 0) return [host]
  const late = new Promise<string[]>((resolve) => {
    setTimeout(resolve, resolverTimeout, []).unref()
  })
  return Promise.race([resolveHost(host).catch(() => []), late])
}

/**
 * Refuses an address that webhooks cannot be sent to: without TLS, with a password in it, or in a
 * network that is not public. A name that is not known yet is accepted. Each request checks the
 * address again. Failure: VALIDATION_FAILED.
 */
const checkUrl = async (
  { locale }: Pick<Ctx, 'locale'>,
  deps: PublicRequestDeps,
  text: string,
): Promise<string | Failure> => {
  const i18n = messagesOf(locale)
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url?.protocol === 'https:' || (deps.allowsLoopback && url?.protocol === 'http:')
  if (!url || !isHttp)
    return invalidField(
      'url',
      i18n._('Enter an address that begins with https://, for example {example}.', { example }),
    )
  if (url.username || url.password) return invalidField('url', i18n._('Leave out the user name and the password.'))
  url.hash = ''
  const addresses = await addressesOf(hostOf(url), deps)
  if (addresses.some((address) => !isAllowedAddress(address, deps)))
    return invalidField('url', i18n._('Enter the address of a server on the public internet.'))
  return url.href
}

const example = 'https://example.com/webhooks'

interface NewEndpoint {
  url: string
  description: string
  eventTypes: readonly WebhookEventType[]
}

/** What endpoints need of the process. */
export interface EndpointDeps {
  /** The secret that others are derived from. */
  secret: string
  publicRequests: PublicRequestDeps
}

/**
 * Creates an endpoint. Its secret is returned only here. Failures: VALIDATION_FAILED for an address
 * that cannot be used, CONFLICT where the store has as many endpoints as it may have.
 */
export const createEndpoint = async (
  ctx: DetachedCtx,
  deps: EndpointDeps,
  by: AuditActor,
  input: NewEndpoint,
): Promise<(WebhookEndpointView & { secret: string }) | Failure> => {
  const url = await checkUrl(ctx, deps.publicRequests, input.url)
  if (isFailure(url)) return url
  const secret = newSecret()
  return ctx.inTransaction(async (tx) => {
    const { db, customer, clock } = tx
    if ((await lockEndpoints(db, customer.id)) >= maxEndpoints) {
      const i18n = messagesOf(ctx.locale)
      const text = i18n._('A store has at most {limit} endpoints. Delete one first.', {
        limit: maxEndpoints,
      })
      return failure('CONFLICT', { errors: { url: [text] } })
    }
    const id = newId<WebhookEndpointId>()
    await insertEndpoint(db, {
      customerId: customer.id,
      id,
      url,
      description: input.description,
      eventTypes: [...new Set(input.eventTypes)],
      secret: encrypt(endpointEncryption(deps.secret), secret),
      createdAt: clock.now().toISOString(),
    })
    const row = await findEndpoint(db, customer.id, id)
    if (!row) return failure('NOT_FOUND')
    const changes = changesOf({}, factsOf(row))
    await audit(tx, { actor: by, action: 'webhook.created', subject: endpointSubject(id), changes })
    return { ...(await viewOf(tx, row)), secret }
  })
}

interface Change {
  id: WebhookEndpointId
  url?: string | undefined
  description?: string | undefined
  eventTypes?: readonly WebhookEventType[] | undefined
  enabled?: boolean | undefined
}

/** Locks an endpoint that is as the caller saw it. */
const lockAsSeen = async (ctx: Ctx, id: WebhookEndpointId, expected: string | null): Promise<EndpointRow | Failure> => {
  const row = await findEndpoint(ctx.db, ctx.customer.id, id, { lock: true })
  if (!row) return failure('NOT_FOUND')
  const version = versionOfEndpoint(row)
  return (await refuseOldVersion(ctx, { expected, version, subject: endpointSubject(id) })) ?? row
}

/**
 * Changes an endpoint as the caller saw it: `expected` is the value of `If-Match`. A disabled one
 * is sent nothing, and its queued deliveries fail. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changeEndpoint = async (
  ctx: DetachedCtx,
  deps: EndpointDeps,
  { by, expected }: { by: AuditActor; expected: string | null },
  { id, url: address, enabled, eventTypes, description }: Change,
): Promise<WebhookEndpointView | Failure> => {
  const url = address === undefined ? undefined : await checkUrl(ctx, deps.publicRequests, address)
  if (isFailure(url)) return url
  return ctx.inTransaction(async (tx) => {
    const { db, customer, clock } = tx
    const before = await lockAsSeen(tx, id, expected)
    if (isFailure(before)) return before
    const toggled = enabled !== undefined && enabled !== (before.disabledAt === null)
    const state = enabled
      ? { disabledAt: null, disabledReason: null, failingSince: null }
      : { disabledAt: clock.now().toISOString(), disabledReason: 'STAFF' as const }
    const types = eventTypes && [...new Set(eventTypes)]
    const after = { ...before, ...withoutUndefined({ url, description, eventTypes: types }), ...(toggled && state) }
    const changes = changesOf(factsOf(before), factsOf(after))
    if (Object.keys(changes).length === 0) return viewOf(tx, before)
    await updateEndpoint(db, customer.id, id, after)
    if (toggled && !enabled) await failQueuedDeliveries(db, customer.id, id)
    await audit(tx, { actor: by, action: 'webhook.changed', subject: endpointSubject(id), changes })
    return viewOf(tx, after)
  })
}

/**
 * Deletes an endpoint with its log, as the caller saw it. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT.
 */
export const deleteEndpoint = async (
  ctx: Ctx,
  { by, expected }: { by: AuditActor; expected: string | null },
  id: WebhookEndpointId,
): Promise<Failure | undefined> => {
  const row = await lockAsSeen(ctx, id, expected)
  if (isFailure(row)) return row
  await deleteEndpointRow(ctx.db, ctx.customer.id, id)
  const changes = changesOf(factsOf(row), {})
  await audit(ctx, { actor: by, action: 'webhook.deleted', subject: endpointSubject(id), changes })
  return undefined
}

/**
 * Replaces the secret of an endpoint, and returns the new one, only here. The former one stays
 * valid for a day; one that was replaced before it is not valid any more. Failures: NOT_FOUND,
 * VERSION_MISSING, VERSION_CONFLICT.
 */
export const rotateSecret = async (
  ctx: Ctx,
  deps: Pick<EndpointDeps, 'secret'>,
  { by, expected }: { by: AuditActor; expected: string | null },
  id: WebhookEndpointId,
) => {
  const { db, customer, clock } = ctx
  const row = await lockAsSeen(ctx, id, expected)
  if (isFailure(row)) return row
  const secret = newSecret()
  const previousSecretUntil = new Date(clock.now().getTime() + previousSecretMilliseconds).toISOString()
  await updateEndpoint(db, customer.id, id, {
    secret: encrypt(endpointEncryption(deps.secret), secret),
    previousSecret: row.secret,
    previousSecretUntil,
  })
  const detail = { previousSecretUntil }
  await audit(ctx, { actor: by, action: 'webhook.secret-rotated', subject: endpointSubject(id), detail })
  return { secret, previousSecretUntil }
}
