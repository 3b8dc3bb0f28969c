import { and, asc, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, StaffId, StaffPasskeyId } from '#contract/ids.ts'
import { staffPasskeys } from './staff.schema.ts'

export type PasskeyRow = typeof staffPasskeys.$inferSelect

/** The passkeys of a person at a store, the oldest first. */
export const readPasskeys = (db: TenantDb, customerId: CustomerId, staffId: StaffId): Promise<PasskeyRow[]> =>
  db
    .select()
    .from(staffPasskeys)
    .where(and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.staffId, staffId)))
    .orderBy(asc(staffPasskeys.createdAt), asc(staffPasskeys.id))

/** The passkey of a credential, which is locked until the transaction ends. Null without one. */
export const lockPasskey = async (
  db: TenantDb,
  customerId: CustomerId,
  credentialId: string,
): Promise<PasskeyRow | null> => {
  const [row] = await db
    .select()
    .from(staffPasskeys)
    .where(and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.credentialId, credentialId)))
    .for('update')
  return row ?? null
}

/** Inserts a passkey. Returns false if the store has its credential already. */
export const insertPasskey = async (db: TenantDb, row: typeof staffPasskeys.$inferInsert): Promise<boolean> => {
  const inserted = await db.insert(staffPasskeys).values(row).onConflictDoNothing().returning({ id: staffPasskeys.id })
  return inserted.length > 0
}

/** Overwrites columns of a passkey. */
export const updatePasskey = async (
  db: TenantDb,
  customerId: CustomerId,
  id: StaffPasskeyId,
  values: Partial<typeof staffPasskeys.$inferInsert>,
) => {
  await db
    .update(staffPasskeys)
    .set(values)
    .where(and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.id, id)))
}

/** Deletes one passkey of a person, or all. Returns the names of those that existed. */
export const deletePasskeys = async (
  db: TenantDb,
  customerId: CustomerId,
  staffId: StaffId,
  id?: StaffPasskeyId,
): Promise<string[]> => {
  const deleted = await db
    .delete(staffPasskeys)
    .where(
      and(eq(staffPasskeys.customerId, customerId), eq(staffPasskeys.staffId, staffId), id && eq(staffPasskeys.id, id)),
    )
    .returning({ name: staffPasskeys.name })
  return deleted.map(({ name }) => name)
}
