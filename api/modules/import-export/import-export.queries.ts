import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CatalogImportId, CustomerId } from '#contract/ids.ts'
import { catalogImports } from './import-export.schema.ts'

const { customerId, id, createdAt, before } = catalogImports

/** Records an import, and deletes the ones from before a time. */
export const insertImport = async (db: TenantDb, row: typeof catalogImports.$inferInsert, oldest: Date) => {
  await db.delete(catalogImports).where(and(eq(customerId, row.customerId), lt(createdAt, oldest.toISOString())))
  await db.insert(catalogImports).values(row)
}

/** The latest imports since a time, the latest first. */
export const readImports = (db: TenantDb, tenant: CustomerId, since: Date, limit: number) =>
  db
    .select({
      id,
      table: catalogImports.tableName,
      file: catalogImports.fileName,
      by: catalogImports.actor,
      counts: catalogImports.counts,
      createdAt,
      undoneAt: catalogImports.undoneAt,
      canUndo: sql<boolean>`${before} IS NOT NULL AND ${catalogImports.undoneAt} IS NULL`,
    })
    .from(catalogImports)
    .where(and(eq(customerId, tenant), sql`${createdAt} >= ${since.toISOString()}`))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit)

/** An import with what undoes it, or null. */
export const findImport = async (db: TenantDb, tenant: CustomerId, which: CatalogImportId) => {
  const [row] = await db
    .select()
    .from(catalogImports)
    .where(and(eq(customerId, tenant), eq(id, which)))
  return row ?? null
}

/** Marks an import as undone. */
export const markUndone = async (db: TenantDb, tenant: CustomerId, which: CatalogImportId, now: Date) => {
  await db
    .update(catalogImports)
    .set({ undoneAt: now.toISOString(), before: null })
    .where(and(eq(customerId, tenant), eq(id, which)))
}

/** Takes the lock of a store's imports until the transaction ends, unless another one holds it. */
export const tryLockImports = async (db: TenantDb, tenant: CustomerId): Promise<boolean> => {
  const text = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 9)) AS locked'
  const { rows } = await db.$client.query<{ locked: boolean }>(text, [tenant])
  return rows[0]?.locked === true
}
