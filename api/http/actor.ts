import type pg from 'pg'
import { operatorToken, resolveOperatorToken } from '#api/modules/identity/operator-tokens.ts'
import type { LiveSession } from '#api/modules/identity/sessions.queries.ts'
import { hashSessionToken, noteSessionSeen, sessionToken } from '#api/modules/identity/sessions.ts'
import { resolveStaffToken, staffToken, staffTokenOfCookie } from '#api/modules/staff/staff-sessions.ts'
import { findCaller } from '#api/modules/storefront/me.queries.ts'
import { type ResolvedStore, readPreviewToken, resolveStore, storeOfHead } from '#api/modules/tenancy/stores.ts'
import { plainHost } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Actor, Clock, Customer, Operator } from '#api/platform/context.ts'
import { readGuestToken } from '#api/platform/crypto.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { createSharedReads, type SharedReads } from '#api/platform/db/shared-reads.ts'
import { ApiError } from '#api/platform/http/problems.ts'
import { isOfOperators, type ProcedureDeps } from '#api/platform/http/procedures.ts'
import { type Connection, consumeLimit } from '#api/platform/http/request-facts.ts'
import { type LimitKinds, minuteSeconds } from '#api/platform/limits/rate-limits.ts'
import { headers as headerNames } from '#contract/http.ts'
import { customerCode } from '#contract/ids.ts'
import type { Access } from '#contract/procedures/procedure.ts'

/** Returns the limit of the requests with one operator token. */
export const createCallerLimits = ({ inProcess }: LimitKinds) => ({ operators: inProcess(1200, minuteSeconds) })
type CallerLimits = ReturnType<typeof createCallerLimits>

/** What resolving the caller of a request needs of the process. */
export interface CallerDeps {
  pool: pg.Pool
  clock: Clock
  secret: string
  limits: CallerLimits
  /** Whether money and staff rights need a second factor. */
  needsSecondFactor: boolean
}

/** Lookups that the API requests of one page share. */
export interface SharedLookups {
  /** Runs a lookup once per name. Failures are not cached. */
  lookUpOnce: <Found>(name: string, look: () => Promise<Found>) => Promise<Found>
  read: SharedReads
}

interface FoundCaller {
  /** The tenant of the code, which is the token's. */
  store: ResolvedStore | null
  /** The live session of the token. */
  session: LiveSession | null
}

/** Returns the bearer token of an Authorization header. */
export const bearerOf = (authorization: string | null | undefined) =>
  /^Bearer ([^\s]{1,200})$/.exec(authorization ?? '')?.[1]

/** A request's token, with the tenant of the member or of the operator whose token it is. */
const tokenOf = (headers: Headers) => {
  const token = bearerOf(headers.get('authorization'))
  return token === undefined
    ? null
    : {
        token,
        ofMember: sessionToken.customerOf(token),
        ofOperator: operatorToken.customerOf(token) ?? staffToken.customerOf(token),
      }
}

type RequestToken = NonNullable<ReturnType<typeof tokenOf>>

/**
 * Reads the tenant of a code together with the session of the request's token, in one statement.
 * Returns null without a session token of this tenant.
 */
export const lookUpCaller = async (
  deps: Pick<CallerDeps, 'pool' | 'clock'>,
  scope: SharedLookups,
  headers: Headers,
  { code, host }: { code: string; host: string | null },
): Promise<FoundCaller | null> => {
  const token = tokenOf(headers)
  return token && customerCode.safeParse(code).success ? callerOf(deps, scope, token, { code, host }) : null
}

const callerOf = async (
  deps: Pick<CallerDeps, 'pool' | 'clock'>,
  { lookUpOnce, read }: SharedLookups,
  { token, ofMember: customerId }: RequestToken,
  { code, host }: { code: string; host: string | null },
): Promise<FoundCaller | null> => {
  if (!customerId) return null
  return lookUpOnce(`caller ${code} ${host ?? ''} ${token}`, async () => {
    const query = {
      customerId,
      tokenHash: hashSessionToken(token),
      code,
      host: host && plainHost(host),
      now: deps.clock.now(),
    }
    const { head, session } = await read(customerId, (db) => findCaller(db, query))
    if (!head) return null
    return { store: await storeOfHead(deps, code, head), session }
  })
}

/**
 * Resolves the caller. A token of another tenant is always refused. A public procedure then needs
 * no session, so that cacheable answers cost no lookup.
 */
export const resolveActor = async (
  deps: Pick<CallerDeps, 'pool' | 'clock' | 'secret'>,
  scope: SharedLookups,
  customer: Customer,
  { headers, access, address, host }: { headers: Headers; access: Access; address: string; host: string | null },
): Promise<Actor> => {
  const guestToken = headers.get(headerNames.guestToken)
  const guestId = guestToken ? readGuestToken(deps.secret, customer.id, guestToken) : null
  const guest: Actor = { kind: 'GUEST', guestId }

  const token = tokenOf(headers)
  if (!token) return guest
  const owner = token.ofMember ?? token.ofOperator
  if (owner && owner !== customer.id) throw new ApiError('TENANT_MISMATCH')
  if (isOfOperators(access)) return guest
  const needed = access !== 'public' || customer.settings.operation.useLogin
  if (!needed) return guest

  const session = (await callerOf(deps, scope, token, { code: customer.code, host }))?.session
  if (!session) throw new ApiError('SESSION_EXPIRED')
  // Written at most once per interval. A visit of staff is none of the member's.
  if (!session.viewing)
    await scope.lookUpOnce(`seen ${session.id}`, () => noteSessionSeen(deps, customer.id, session, address))
  return { kind: 'USER', memberId: session.memberId, sessionId: session.id, guestId, viewing: session.viewing }
}

/** The operator of a live token of the customer; null without one. */
const operatorOfToken = (
  { pool, clock, needsSecondFactor }: Pick<CallerDeps, 'pool' | 'clock' | 'needsSecondFactor'>,
  customer: Customer,
  token: string,
): Promise<Operator | null> =>
  withTenant(pool, customer.id, async (db): Promise<Operator | null> => {
    const ctx = { db, customer, clock }
    if (staffToken.customerOf(token)) return resolveStaffToken(ctx, token, { needsSecondFactor })
    return resolveOperatorToken(ctx, token)
  })

/**
 * Resolves the operator of a request: a person of the staff by the token of a session, or by the
 * console's cookie, or a program by its operator token. A member's token is refused with 403. An
 * unknown, revoked or expired token is refused with 401.
 */
export const resolveOperator = async (
  deps: Pick<CallerDeps, 'pool' | 'clock' | 'limits' | 'needsSecondFactor'>,
  customer: Customer,
  { request: { headers, method }, origin }: { request: Pick<Request, 'headers' | 'method'>; origin: string },
): Promise<Operator> => {
  const bearer = bearerOf(headers.get('authorization'))
  const token = bearer ?? staffTokenOfCookie(headers, { method, isSecure: origin.startsWith('https:') })
  if (token === undefined) throw new ApiError('UNAUTHORIZED')
  const owner = sessionToken.customerOf(token) ?? operatorToken.customerOf(token) ?? staffToken.customerOf(token)
  if (owner && owner !== customer.id) throw new ApiError('TENANT_MISMATCH')
  if (sessionToken.customerOf(token)) throw new ApiError('FORBIDDEN')
  const operator = owner ? await operatorOfToken(deps, customer, token) : null
  if (!operator) throw new ApiError('UNAUTHORIZED')
  consumeLimit(deps.limits.operators, `${customer.id}:${operator.id}`)
  return operator
}

/** Returns what the preview link of a caller shows; null without one. */
export const previewLinkOf = ({ secret, clock }: ProcedureDeps, { id }: Customer, headers: Headers) => {
  const token = headers.get(headerNames.previewToken)
  return token === null ? null : readPreviewToken(secret, id, token, clock.now())
}

/**
 * What the API requests of one page share: the tenant, the caller and the transaction of their
 * reads. It is discarded after the page's request. A request that may write starts with an
 * empty scope and leaves none.
 */
export interface RequestScope extends SharedLookups {
  /**
   * Resolves the tenant of a code, and the tenant of the storefront's host. Returns null if
   * there is none.
   */
  store: (code: string, host: string | null) => Promise<ResolvedStore | null>
  /** Whether the requests are those of one page. */
  isPage: boolean
  /** Discards all results, because a write may have changed them. */
  clear: () => void
}

/** The environment of a request from within the process. */
export interface RequestEnv extends Connection {
  scope: RequestScope
}

export const createRequestScope = (deps: { pool: pg.Pool }, { isPage = false } = {}): RequestScope => {
  const lookups = new Map<string, Promise<unknown>>()
  const lookUpOnce: RequestScope['lookUpOnce'] = (name, look) => {
    // Each name is used in one place only, so it has one type.
    const cached = lookups.get(name) as ReturnType<typeof look> | undefined
    if (cached) return cached
    const pending = look()
    lookups.set(name, pending)
    pending.catch(() => lookups.get(name) === pending && lookups.delete(name))
    return pending
  }
  const read = createSharedReads(deps.pool)
  return {
    store: (code, host) => lookUpOnce(`store ${code} ${host ?? ''}`, () => resolveStore(deps, code, host)),
    isPage,
    lookUpOnce,
    read,
    clear: () => {
      lookups.clear()
      read.renew()
    },
  }
}
