import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { members } from '#api/db/schema/accounts.ts'
import { failure } from '#api/domain/failure.ts'
import type { MemberId } from '#contract/ids.ts'
import { type AuditActor, audit } from './audit.ts'

export interface Partnership {
  email: string
  until: Date
  /** What the member reads it is called: the company's name, the contract's. */
  name: string | null
}

/** Grants a member every product on a plan until a day, or takes that back with a day that has passed. */
export const grantPartnership = async (ctx: Ctx, by: AuditActor, { email, until, name }: Partnership) => {
  const { db, customer } = ctx
  const partnershipUntil = until.toISOString()
  const [member] = await db
    .update(members)
    .set({ partnershipUntil, partnershipName: name })
    .where(
      and(
        eq(members.customerId, customer.id),
        eq(members.emailLower, email.trim().toLowerCase()),
        isNull(members.withdrawnAt),
      ),
    )
    .returning({ id: members.id })
  if (!member) return failure('NOT_FOUND')
  const ended = until <= ctx.clock.now()
  await audit(ctx, {
    actor: by,
    action: ended ? 'partnership.ended' : 'partnership.granted',
    subject: `member:${member.id}`,
    detail: { until: partnershipUntil, name },
  })
  return { memberId: member.id as MemberId, until: partnershipUntil }
}
