import { and, desc, eq, gt } from 'drizzle-orm'
import type { MemberCtx } from '#api/context.ts'
import { sessions } from '#api/db/schema/accounts.ts'
import type { Session } from '#contract/accounts.ts'
import type { SessionId } from '#contract/ids.ts'

/** Where the member is signed in, the latest seen first. */
export const listSessions = async ({ customer, actor, db, clock }: MemberCtx): Promise<Session[]> => {
  const rows = await db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.customerId, customer.id),
        eq(sessions.memberId, actor.memberId),
        gt(sessions.expiresAt, clock.now().toISOString()),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(100)
  return rows.map(({ id, device, address, createdAt, lastSeenAt }) => ({
    id: id as SessionId,
    current: id === actor.sessionId,
    device,
    address,
    createdAt,
    lastSeenAt,
  }))
}
