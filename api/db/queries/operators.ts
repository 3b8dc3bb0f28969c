import { and, eq, isNull, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { operatorTokens } from '#api/db/schema/operators.ts'
import type { CustomerId } from '#contract/ids.ts'

export type OperatorRow = typeof operatorTokens.$inferSelect

/** The bearer behind a hash, unless it was revoked or its time has passed. */
export const findLiveOperator = async (
  db: TenantDb,
  customerId: CustomerId,
  tokenHash: string,
  now: Date,
): Promise<OperatorRow | null> => {
  const [row] = await db
    .select()
    .from(operatorTokens)
    .where(
      and(
        eq(operatorTokens.customerId, customerId),
        eq(operatorTokens.tokenHash, tokenHash),
        isNull(operatorTokens.revokedAt),
        sql`coalesce(${operatorTokens.expiresAt} > ${now.toISOString()}, true)`,
      ),
    )
  return row ?? null
}

export const touchOperator = async (db: TenantDb, customerId: CustomerId, id: string, now: Date) => {
  await db
    .update(operatorTokens)
    .set({ lastUsedAt: now.toISOString() })
    .where(and(eq(operatorTokens.customerId, customerId), eq(operatorTokens.id, id)))
}
