import type pg from 'pg'
import { type Clock, failure, type MemberCtx } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { Session } from '#contract/identity.ts'
import type { CustomerId, SessionId } from '#contract/ids.ts'
import { deleteSession, deleteSessions, type LiveSession, liveSessionsOf, touchSession } from './sessions.queries.ts'

/** Ends one of the member's own sessions immediately. Failure: NOT_FOUND. */
export const endSession = async ({ db, customer, actor }: MemberCtx, id: SessionId) =>
  (await deleteSession(db, customer.id, actor.memberId, id)) ? undefined : failure('NOT_FOUND')

/** Ends all of the member's sessions except the current one. */
export const endOtherSessions = ({ db, customer, actor }: MemberCtx) =>
  deleteSessions(db, customer.id, actor.memberId, { except: actor.sessionId })

/** The member's sessions, the most recently seen first. */
export const listSessions = async ({ customer, actor, db, clock }: MemberCtx): Promise<Session[]> => {
  const rows = await liveSessionsOf(db, customer.id, actor.memberId, clock.now())
  return rows.map(({ id, device, address, createdAt, lastSeenAt }) => ({
    id,
    current: id === actor.sessionId,
    device,
    address,
    createdAt,
    lastSeenAt,
  }))
}

/** How often the last use of a session or an operator token is written at most. */
export const touchEveryMilliseconds = 5 * 60 * 1000

/** Records when and from where a session was last seen, at most once per interval. */
export const noteSessionSeen = async (
  { pool, clock }: { pool: pg.Pool; clock: Clock },
  customerId: CustomerId,
  { id, lastSeenAt }: LiveSession,
  address: string,
) => {
  const now = clock.now()
  if (now.getTime() - Date.parse(lastSeenAt) <= touchEveryMilliseconds) return
  await withTenant(pool, customerId, (db) => touchSession(db, customerId, id, now, address))
}
