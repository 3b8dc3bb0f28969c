import { desc, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import { audit } from './audit.schema.ts'

/** Appends an entry to the audit log. Entries are never changed. */
export const insertAuditEntry = async (db: TenantDb, row: typeof audit.$inferInsert) => {
  await db.insert(audit).values(row)
}

/** The latest entries of a store's audit log, newest first. */
export const readAuditEntries = (db: TenantDb, customerId: CustomerId, limit: number) =>
  db.select().from(audit).where(eq(audit.customerId, customerId)).orderBy(desc(audit.at)).limit(limit)
