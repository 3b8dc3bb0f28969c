import { and, eq, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { cases } from '#api/db/schema/accounts.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId } from '#contract/ids.ts'

/** What a case of the desk knows about a charge that its provider refuses to give back. */
export interface RefusedRefund {
  kind: 'CHARGE_REFUND_REFUSED'
  chargeId: string
  amount: number
  currency: string
  reason: string
  /** How often it was refused, and when it is tried again (ISO). */
  attempts: number
  nextAttemptAt: string
}

const about = (customerId: CustomerId, chargeId: string) =>
  and(
    eq(cases.customerId, customerId),
    eq(cases.type, 'CUSTOM'),
    sql`${cases.data} ->> 'kind' = 'CHARGE_REFUND_REFUSED'`,
    sql`${cases.data} ->> 'chargeId' = ${chargeId}`,
  )

/** How often a charge's refund was refused before. */
export const refusalsOf = async (db: TenantDb, customerId: CustomerId, chargeId: string): Promise<number> => {
  const [row] = await db.select({ data: cases.data }).from(cases).where(about(customerId, chargeId))
  return row ? Number(row.data.attempts) : 0
}

/** Puts a refusal on the desk, once a charge; a later one is noted there. */
export const noteRefusedRefund = async (
  db: TenantDb,
  customerId: CustomerId,
  { memberId, subject, data }: { memberId: string; subject: string; data: RefusedRefund },
  now: Date,
) => {
  const noted = await db
    .update(cases)
    .set({ data: { ...data } })
    .where(about(customerId, data.chargeId))
    .returning({ id: cases.id })
  if (noted.length > 0) return
  await db.insert(cases).values({
    ...{ customerId, id: newId(), type: 'CUSTOM', memberId, subject, data: { ...data } },
    createdAt: now.toISOString(),
  })
}

/** The money has gone back after all. */
export const closeRefusedRefund = async (db: TenantDb, customerId: CustomerId, chargeId: string, now: Date) => {
  await db
    .update(cases)
    .set({ status: 'COMPLETE', completedAt: now.toISOString() })
    .where(and(about(customerId, chargeId), eq(cases.status, 'WAIT')))
}
