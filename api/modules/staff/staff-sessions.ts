import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { hashSessionToken, touchEveryMilliseconds } from '#api/modules/identity/sessions.ts'
import { storeOrigins, type TenancyDeps } from '#api/modules/tenancy/stores.ts'
import { readCustomer, readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import { audit, changesOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type Customer, type Failure, failure, type StaffOperator } from '#api/platform/context.ts'
import { createTokenFormat } from '#api/platform/crypto.ts'
import { isDatabaseUnavailable, withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { hostCookie, hostCookieName, isFromConsole } from '#api/platform/http/request-facts.ts'
import { headers as headerNames } from '#contract/http.ts'
import type { CustomerId, StaffId, StaffSessionId } from '#contract/ids.ts'
import type { StaffSession, StaffStores } from '#contract/staff.ts'
import { findStaff, type StaffRow } from './staff.queries.ts'
import {
  deleteOtherStaffSessions,
  deleteStaffSession,
  findLiveSession,
  insertStaffSession,
  type LiveStaffSession,
  readStaffSessions,
  updateStaffSession,
} from './staff-access.queries.ts'
import { permissionsOf } from './staff-roles.ts'

/** The tokens of the sessions of staff. */
export const staffToken = createTokenFormat('mqs')

const lifetimeMilliseconds = 14 * dayMilliseconds

/** Where a person signs in. */
export interface StaffDevice {
  device: string
  address: string
}

/** A new session, and whether its second factor must be confirmed first. */
export interface OpenedStaffSession {
  token: string
  expiresAt: string
  stage: 'SIGNED_IN' | 'SECOND_FACTOR_NEEDED'
}

/**
 * Signs a person in. The token is returned only here; the database has its hash. `isConfirmed`: a
 * second factor was confirmed.
 */
export const openStaffSession = async (
  { db, customer, clock }: Ctx,
  person: Pick<StaffRow, 'id' | 'sessionVersion' | 'totpSecret'> & { hasPasskey: boolean },
  { device, address }: StaffDevice,
  { isConfirmed = false } = {},
): Promise<OpenedStaffSession> => {
  foundStores.delete(person.id)
  const token = staffToken.create(customer.id)
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds).toISOString()
  await insertStaffSession(db, {
    customerId: customer.id,
    id: newId(),
    staffId: person.id,
    tokenHash: hashSessionToken(token),
    version: person.sessionVersion,
    device,
    address,
    confirmedAt: isConfirmed ? now.toISOString() : null,
    expiresAt,
    lastSeenAt: now.toISOString(),
    createdAt: now.toISOString(),
  })
  const needsConfirmation = !isConfirmed && (person.totpSecret !== null || person.hasPasskey)
  return { token, expiresAt, stage: needsConfirmation ? 'SECOND_FACTOR_NEEDED' : 'SIGNED_IN' }
}

/** Where no second factor is required, a session without one has all rights. */
const secondFactorOf = (
  { confirmedAt, hasSecondFactor }: LiveStaffSession,
  needsSecondFactor: boolean,
): StaffOperator['secondFactor'] => {
  if (confirmedAt !== null) return 'CONFIRMED'
  if (hasSecondFactor) return 'MISSING'
  return needsSecondFactor ? 'NOT_SET_UP' : 'CONFIRMED'
}

/** Returns the person of a live token; null without one. Records when it was last used. */
export const resolveStaffToken = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id' | 'isInstallation'> },
  token: string,
  { needsSecondFactor }: { needsSecondFactor: boolean },
): Promise<StaffOperator | null> => {
  const now = clock.now()
  const live = await findLiveSession(db, customer.id, hashSessionToken(token), now)
  if (!live) return null
  if (now.getTime() - Date.parse(live.lastSeenAt) > touchEveryMilliseconds)
    await updateStaffSession(db, customer.id, live.id, { lastSeenAt: now.toISOString() })
  const { id: sessionId, staffId: id, email, name, createdAt, expiresAt } = live
  return {
    kind: 'STAFF',
    id,
    sessionId,
    email,
    name,
    permissions: permissionsOf(customer, live),
    secondFactor: secondFactorOf(live, needsSecondFactor),
    createdAt,
    expiresAt,
  }
}

/** A person's sessions at the store, the most recently seen first. */
export const listStaffSessions = async (
  { db, customer, clock }: Ctx,
  operator: StaffOperator,
): Promise<StaffSession[]> => {
  const rows = await readStaffSessions(db, customer.id, operator.id, clock.now())
  return rows.map(({ id, device, address, createdAt, lastSeenAt }) => ({
    id,
    current: id === operator.sessionId,
    device,
    address,
    createdAt,
    lastSeenAt,
  }))
}

/** Ends sessions of a person, and records how many are left of how many. */
const endSessions = async <Ended>(
  ctx: Ctx,
  { id, email }: StaffOperator,
  end: () => Promise<Ended>,
): Promise<Ended> => {
  const count = async () => (await readStaffSessions(ctx.db, ctx.customer.id, id, ctx.clock.now())).length
  const before = await count()
  const ended = await end()
  const changes = changesOf({ sessions: before }, { sessions: await count() })
  const entry = { actor: `staff:${email}`, action: 'staff.sessions-ended', subject: `staff:${id}` } as const
  if (Object.keys(changes).length > 0) await audit(ctx, { ...entry, changes })
  return ended
}

/** Ends one of a person's own sessions immediately. Failure: NOT_FOUND. */
export const endStaffSession = async (
  ctx: Ctx,
  operator: StaffOperator,
  id: StaffSessionId,
): Promise<Failure | undefined> => {
  const end = () => deleteStaffSession(ctx.db, ctx.customer.id, operator.id, id)
  return (await endSessions(ctx, operator, end)) ? undefined : failure('NOT_FOUND')
}

/** Ends all of a person's sessions at the store except the current one. */
export const endOtherStaffSessions = (ctx: Ctx, operator: StaffOperator): Promise<void> =>
  endSessions(ctx, operator, () => deleteOtherStaffSessions(ctx.db, ctx.customer.id, operator.id, operator.sessionId))

/** The plain name of the cookie with the token of a session. See `hostCookieName`. */
export const staffCookie = 'staff'
const plainDeviceName = 'staff-device'

const cookieIn = (headers: Headers, name: string) => {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [cookieName, value] = pair.trim().split('=', 2)
    if (cookieName === name && value) return value.slice(0, 1000)
  }
  return undefined
}

/**
 * Returns the token of the console's cookie. Undefined if another site may have caused the
 * request: it must be of the same origin, and a write must carry the console's header.
 */
export const staffTokenOfCookie = (
  headers: Headers,
  { method, isSecure }: { method: string; isSecure: boolean },
): string | undefined => {
  const reads = method === 'GET' || method === 'HEAD'
  const isOwn = reads ? headers.get('sec-fetch-site') === 'same-origin' : isFromConsole(headers)
  return isOwn ? cookieIn(headers, hostCookieName(staffCookie, isSecure)) : undefined
}

/** Returns the device token of the console's cookie, or of the header of other programs. */
export const staffDeviceToken = (headers: Headers, isSecure: boolean): string | null =>
  headers.get(headerNames.deviceToken) ?? cookieIn(headers, hostCookieName(plainDeviceName, isSecure)) ?? null

const deviceSeconds = 365 * 86_400

const cookie = (name: string, value: string, seconds: number, isSecure: boolean) =>
  hostCookie({ name, value, seconds, sameSite: 'Strict' }, isSecure)

/** Returns the cookies of a sign-in: of its token until it expires, and of its device. */
export const signedInCookies = (
  { token, seconds, deviceToken }: { token: string; seconds: number; deviceToken: string },
  isSecure: boolean,
): string[] => [
  cookie(staffCookie, token, seconds, isSecure),
  cookie(plainDeviceName, deviceToken, deviceSeconds, isSecure),
]

/** Returns the cookie that deletes the token. */
export const signedOutCookie = (isSecure: boolean): string => cookie(staffCookie, '', 0, isSecure)

interface PersonAt {
  staffId: StaffId
  /** The store of the session. */
  current: CustomerId
}

/** Whether a person belongs to a store. Each store shows its own people alone. */
const isStaffAt = (pool: pg.Pool, store: CustomerId, id: StaffId): Promise<boolean> =>
  withTenant(pool, store, async (db) => (await findStaff(db, store, id)) !== null, { readOnly: true })

/** Whether a person belongs to another store than the one of the session. */
export const belongsToOtherStore = async ({ pool }: { pool: pg.Pool }, { staffId, current }: PersonAt) => {
  for (const { id } of await readTenants(pool)) if (id !== current && (await isStaffAt(pool, id, staffId))) return true
  return false
}

const foundFor = 5 * 60_000
/** How long a search counts that could not ask every store, in milliseconds. */
const incompleteFor = 30_000

/** The stores in which a person was found. A sign-in in this process begins the search again. */
const foundStores = new LRUCache<StaffId, readonly CustomerId[]>({ max: 10_000, ttl: foundFor })

/** The console of a store; null without a host. */
const consoleOf = async (deps: Pick<TenancyDeps, 'pool' | 'originOfHost'>, id: CustomerId) => {
  const store = await readCustomer(deps.pool, id)
  const origins = store ? await storeOrigins(deps, store) : []
  const origin = origins.find((each) => each === store?.settings.seo.publicUrl) ?? origins[0]
  if (!store || !origin) return null
  const { code, isInstallation, settings } = store
  return { code, name: settings.base.name ?? code, url: `${origin}/admin`, isInstallation }
}

/**
 * Returns the consoles of a person, by the names of the stores, for that person alone. All stores
 * are searched once in five minutes; those where the person was found are asked each time. A store
 * whose node is away is left out.
 */
export const listOwnStores = async (
  deps: Pick<TenancyDeps, 'pool' | 'originOfHost'>,
  { staffId, current }: PersonAt,
): Promise<StaffStores> => {
  const { pool } = deps
  const items: StaffStores['items'] = []
  const found: CustomerId[] = []
  let isComplete = true
  const known = foundStores.get(staffId)
  for (const id of known ?? (await readTenants(pool)).map((each) => each.id))
    try {
      if (!(await isStaffAt(pool, id, staffId))) continue
      found.push(id)
      const at = await consoleOf(deps, id)
      if (at) items.push({ ...at, isCurrent: id === current })
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      isComplete = false
    }
  if (!known) foundStores.set(staffId, found, { ttl: isComplete ? foundFor : incompleteFor })
  return { items: items.toSorted((one, other) => one.name.localeCompare(other.name)) }
}
