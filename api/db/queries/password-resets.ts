import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { members } from '#api/db/schema/accounts.ts'
import { passwordResets } from '#api/db/schema/joining.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'

const opens = (customerId: CustomerId, keyHash: string, now: Date) =>
  and(
    eq(passwordResets.customerId, customerId),
    eq(passwordResets.keyHash, keyHash),
    isNull(passwordResets.usedAt),
    gt(passwordResets.expiresAt, now.toISOString()),
  )

/** The member a key still opens a new password for; null for any other key. */
export const findReset = async (db: TenantDb, customerId: CustomerId, keyHash: string, now: Date) => {
  const [row] = await db
    .select({ memberId: sql<MemberId>`${members.id}`, email: members.email })
    .from(passwordResets)
    .innerJoin(members, and(eq(members.customerId, passwordResets.customerId), eq(members.id, passwordResets.memberId)))
    .where(and(opens(customerId, keyHash, now), isNull(members.withdrawnAt)))
  return row ?? null
}

/** Lets a member's unused keys that were made since a moment open for longer; answers whether there was one. */
export const extendResets = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { now, since, expiresAt }: { now: Date; since: Date; expiresAt: Date },
): Promise<boolean> => {
  const extended = await db
    .update(passwordResets)
    .set({ expiresAt: expiresAt.toISOString() })
    .where(
      and(
        eq(passwordResets.customerId, customerId),
        eq(passwordResets.memberId, memberId),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, now.toISOString()),
        gt(passwordResets.createdAt, since.toISOString()),
      ),
    )
    .returning({ id: passwordResets.id })
  return extended.length > 0
}

/** Uses a key up. Of two at once one gets the member, the other nothing. The member's other keys are used up with it. */
export const consumeReset = async (db: TenantDb, customerId: CustomerId, keyHash: string, now: Date) => {
  const usedAt = now.toISOString()
  const [used] = await db
    .update(passwordResets)
    .set({ usedAt })
    .where(opens(customerId, keyHash, now))
    .returning({ memberId: sql<MemberId>`${passwordResets.memberId}` })
  if (!used) return null
  await closeResets(db, customerId, used.memberId, now)
  return used.memberId
}

/** Closes every way a member's mails still open to a new password. */
export const closeResets = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  await db
    .update(passwordResets)
    .set({ usedAt: now.toISOString() })
    .where(
      and(
        eq(passwordResets.customerId, customerId),
        eq(passwordResets.memberId, memberId),
        isNull(passwordResets.usedAt),
      ),
    )
}
