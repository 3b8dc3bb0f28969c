import { and, eq, ne } from 'drizzle-orm'
import type { MemberCtx } from '#api/context.ts'
import { sessions } from '#api/db/schema/accounts.ts'
import { failure } from '#api/domain/failure.ts'
import type { SessionId } from '#contract/ids.ts'

const own = ({ customer, actor }: MemberCtx) =>
  and(eq(sessions.customerId, customer.id), eq(sessions.memberId, actor.memberId))

/** Ends one of the member's own sessions, on the server and at once. */
export const endSession = async (ctx: MemberCtx, id: SessionId) => {
  const ended = await ctx.db
    .delete(sessions)
    .where(and(own(ctx), eq(sessions.id, id)))
    .returning({ id: sessions.id })
  return ended.length === 0 ? failure('NOT_FOUND') : undefined
}

export const endOtherSessions = async (ctx: MemberCtx) => {
  await ctx.db.delete(sessions).where(and(own(ctx), ne(sessions.id, ctx.actor.sessionId)))
}
