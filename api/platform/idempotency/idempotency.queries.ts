import { and, eq, lt } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { idempotencyKeys } from '#api/platform/db/platform.schema.ts'
import type { CustomerId } from '#contract/ids.ts'

export interface KeyedWrite {
  holder: typeof idempotencyKeys.$inferSelect.holder
  key: string
  procedure: string
  bodyHash: string
}

export type Claim =
  | { code: 'MINE' }
  | { code: 'IN_FLIGHT' }
  | { code: 'REUSED' }
  | { code: 'ANSWERED'; answer: unknown }

const row = (customerId: CustomerId, { holder, key }: Pick<KeyedWrite, 'holder' | 'key'>) =>
  and(eq(idempotencyKeys.customerId, customerId), eq(idempotencyKeys.holder, holder), eq(idempotencyKeys.key, key))

/**
 * Claims a key for a write. A claim whose lock has expired is replaced, because its process ended
 * before it could answer.
 */
export const claimKey = async (
  db: TenantDb,
  customerId: CustomerId,
  write: KeyedWrite,
  time: { now: Date; lockSeconds: number },
): Promise<Claim> => {
  const lockedUntil = new Date(time.now.getTime() + time.lockSeconds * 1000).toISOString()
  const inserted = await db
    .insert(idempotencyKeys)
    .values({ ...write, customerId, lockedUntil, createdAt: time.now.toISOString() })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (inserted.length > 0) return { code: 'MINE' }

  const [stored] = await db.select().from(idempotencyKeys).where(row(customerId, write)).for('update')
  // The holder released the key between the two statements. The client may retry.
  if (!stored) return { code: 'IN_FLIGHT' }
  if (stored.procedure !== write.procedure || stored.bodyHash !== write.bodyHash) return { code: 'REUSED' }
  if (stored.status !== null) return { code: 'ANSWERED', answer: stored.answer }
  if (Date.parse(stored.lockedUntil) > time.now.getTime()) return { code: 'IN_FLIGHT' }
  await db.update(idempotencyKeys).set({ lockedUntil }).where(row(customerId, write))
  return { code: 'MINE' }
}

/** Stores the answer of a write, for requests with the same key. */
export const saveAnswer = async (db: TenantDb, customerId: CustomerId, write: KeyedWrite, answer: unknown) => {
  await db.update(idempotencyKeys).set({ status: 200, answer }).where(row(customerId, write))
}

/** Releases a key whose write did nothing. */
export const releaseKey = async (db: TenantDb, customerId: CustomerId, write: KeyedWrite) => {
  await db.delete(idempotencyKeys).where(row(customerId, write))
}

/** Deletes the idempotency keys created before a time. */
export const deleteKeysBefore = async (db: TenantDb, customerId: CustomerId, time: Date) => {
  await db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.customerId, customerId), lt(idempotencyKeys.createdAt, time.toISOString())))
}
