import { and, asc, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { cases, members } from '#api/db/schema/accounts.ts'
import { failure } from '#api/domain/failure.ts'
import type { CaseStatus } from '#contract/enumerations.ts'
import { type AuditActor, audit } from './audit.ts'

/** What waits on the desk, the oldest first, with whose it is. */
export const listCases = ({ db, customer }: Ctx, status: CaseStatus | undefined, limit: number) =>
  db
    .select({
      id: cases.id,
      type: cases.type,
      status: cases.status,
      subject: cases.subject,
      email: members.email,
      data: cases.data,
      createdAt: cases.createdAt,
    })
    .from(cases)
    .leftJoin(members, and(eq(members.customerId, cases.customerId), eq(members.id, cases.memberId)))
    .where(and(eq(cases.customerId, customer.id), status ? eq(cases.status, status) : undefined))
    .orderBy(asc(cases.createdAt))
    .limit(limit)

/**
 * Closes a case that a person has settled elsewhere. An inquiry is closed by its answer and an order's cancelling by its decision, so
 * neither is left half done.
 */
export const closeCase = async (ctx: Ctx, by: AuditActor, { id, note }: { id: string; note: string }) => {
  const { db, customer, clock } = ctx
  const mine = and(eq(cases.customerId, customer.id), eq(cases.id, id))
  const [found] = await db.select().from(cases).where(mine).for('update')
  if (!found) return failure('NOT_FOUND')
  if (found.type === 'INQUIRY')
    return failure('VALIDATION_FAILED', { errors: { id: ['Answer the inquiry to close its case.'] } })
  if (found.type === 'ORDER_CANCEL' && found.data.kind === 'CANCEL_REQUEST')
    return failure('VALIDATION_FAILED', { errors: { id: ['Accept or reject the request to close its case.'] } })
  if (found.status === 'COMPLETE') return failure('CONFLICT')
  // Whom a withdrawn member's case had to ask is nobody's to know any more.
  const { contact: _, ...data } = found.data
  await db.update(cases).set({ status: 'COMPLETE', completedAt: clock.now().toISOString(), data }).where(mine)
  await audit(ctx, { actor: by, action: 'case.closed', subject: `case:${id}`, detail: { type: found.type, note } })
  return { id, subject: found.subject }
}
