import type pg from 'pg'
import { customerOfOperatorToken, useOperatorToken } from '#api/modules/identity/operator-tokens.ts'
import type { LiveSession, OperatorRow } from '#api/modules/identity/sessions.queries.ts'
import { customerOfToken, hashSessionToken, noteSessionSeen } from '#api/modules/identity/sessions.ts'
import { findLiveSession } from '#api/modules/storefront/me.queries.ts'
import type { Actor, Clock, Customer } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { SharedReads } from '#api/platform/db/shared-reads.ts'
import { readGuestToken } from '#api/platform/http/guest-token.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import { consumeLimit } from '#api/platform/http/request-facts.ts'
import type { Limits } from '#api/platform/limits/rate-limits.ts'
import type { OperatorScope } from '#contract/identity.ts'
import type { CustomerId } from '#contract/ids.ts'
import { headers as headerNames } from '#contract/index.ts'
import type { Access } from '#contract/procedures/procedure.ts'

/** What resolving the caller of a request needs of the process. */
export interface CallerDeps {
  pool: pg.Pool
  clock: Clock
  secret: string
  limits: Pick<Limits, 'operators'>
}

/** Lookups that the API requests of one page share. */
export interface SharedLookups {
  /** Runs a lookup once per name. Failures are not cached. */
  once: <Found>(name: string, look: () => Promise<Found>) => Promise<Found>
  read: SharedReads
}

/** Returns the bearer token of an Authorization header. */
export const bearerOf = (authorization: string | null | undefined) =>
  /^Bearer ([^\s]{1,200})$/.exec(authorization ?? '')?.[1]

/**
 * Resolves the caller. A token of another tenant is always refused. A public procedure then needs
 * no session, so that cacheable answers cost no lookup.
 */
export const resolveActor = async (
  deps: Pick<CallerDeps, 'pool' | 'clock' | 'secret'>,
  scope: SharedLookups,
  customer: Customer,
  { headers, access, address }: { headers: Headers; access: Access; address: string },
): Promise<Actor> => {
  const guestToken = headers.get(headerNames.guestToken)
  const guestId = guestToken ? readGuestToken(deps.secret, customer.id, guestToken) : null
  const guest: Actor = { kind: 'GUEST', guestId }

  const token = bearerOf(headers.get('authorization'))
  if (!token) return guest
  const owner = customerOfToken(token) ?? customerOfOperatorToken(token)
  if (owner && owner !== customer.id) throw new ApiError('TENANT_MISMATCH')
  if (access === 'operator') return guest
  const needed = access !== 'public' || customer.settings.operation.useLogin
  if (!needed) return guest

  const session = owner
    ? await scope.once(`session ${customer.id} ${token}`, () => findSession(deps, scope, customer.id, token, address))
    : null
  if (!session) throw new ApiError('SESSION_EXPIRED')
  return { kind: 'USER', memberId: session.memberId, sessionId: session.id, guestId }
}

/**
 * Returns the live session of a token. Updates the time it was last seen at most once per interval.
 */
const findSession = async (
  deps: Pick<CallerDeps, 'pool' | 'clock'>,
  { read }: SharedLookups,
  id: CustomerId,
  token: string,
  address: string,
): Promise<LiveSession | null> => {
  const now = deps.clock.now()
  const live = await read(id, (db) => findLiveSession(db, id, hashSessionToken(token), now))
  if (live) await noteSessionSeen(deps, id, live, address)
  return live
}

/**
 * Resolves the operator of a token. A member's token and a missing scope are refused with 403. An
 * unknown, revoked or expired token is refused with 401.
 */
export const resolveOperator = async (
  deps: Pick<CallerDeps, 'pool' | 'clock' | 'limits'>,
  customer: Customer,
  headers: Headers,
  scope: OperatorScope | null,
): Promise<OperatorRow> => {
  const token = bearerOf(headers.get('authorization'))
  const owner = token ? (customerOfToken(token) ?? customerOfOperatorToken(token)) : null
  if (owner && owner !== customer.id) throw new ApiError('TENANT_MISMATCH')
  if (token && customerOfToken(token)) throw new ApiError('FORBIDDEN')
  const { pool, clock } = deps
  const operator =
    token && customerOfOperatorToken(token)
      ? await withTenant(pool, customer.id, (db) => useOperatorToken({ db, customer, clock }, token))
      : null
  if (!operator) throw new ApiError('UNAUTHORIZED')
  if (scope && !operator.scopes.includes(scope))
    throw new ApiError('FORBIDDEN', { data: { scope, scopes: operator.scopes } })
  consumeLimit(deps.limits.operators, `${customer.id}:${operator.id}`)
  return operator
}
