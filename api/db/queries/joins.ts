import { and, eq, type SQL } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { joinVerifications } from '#api/db/schema/joining.ts'
import type { CustomerId } from '#contract/ids.ts'

export type JoinRow = typeof joinVerifications.$inferSelect

/** A join by what is kept of its token, its row locked for the transaction. */
export const lockJoin = async (db: TenantDb, customerId: CustomerId, tokenHash: string): Promise<JoinRow | null> => {
  const [row] = await db
    .select()
    .from(joinVerifications)
    .where(and(eq(joinVerifications.customerId, customerId), eq(joinVerifications.tokenHash, tokenHash)))
    .for('update')
  return row ?? null
}

export const changeJoin = async (
  db: TenantDb,
  { customerId, id }: Pick<JoinRow, 'customerId' | 'id'>,
  values: { [Column in keyof JoinRow]?: JoinRow[Column] | SQL },
): Promise<JoinRow> => {
  const [row] = await db
    .update(joinVerifications)
    .set(values)
    .where(and(eq(joinVerifications.customerId, customerId), eq(joinVerifications.id, id)))
    .returning()
  if (!row) throw new Error(`The join ${id} is gone, though it was locked`)
  return row
}
