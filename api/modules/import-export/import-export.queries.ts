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

/** An import with what undoes it, or null. With `lock`, it is locked until the transaction ends. */
export const findImport = async (db: TenantDb, tenant: CustomerId, which: CatalogImportId, { lock = false } = {}) => {
  const query = db
    .select()
    .from(catalogImports)
    .where(and(eq(customerId, tenant), eq(id, which)))
  const [row] = await (lock ? query.for('update') : query)
  return row ?? null
}

/** Marks an import as undone. */
export const markUndone = async (db: TenantDb, tenant: CustomerId, which: CatalogImportId, now: Date) => {
  await db
    .update(catalogImports)
    .set({ undoneAt: now.toISOString(), before: null })
    .where(and(eq(customerId, tenant), eq(id, which)))
}
