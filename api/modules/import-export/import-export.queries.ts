import { and, desc, eq, getTableColumns, gte, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CatalogImportId, CustomerCode, CustomerId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { StoreState } from '#contract/store-state.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { catalogImports } from './import-export.schema.ts'

const { customerId, id, createdAt, before } = catalogImports

/** Records an import. Only the latest `undoable` imports of the store keep what undoes them. */
export const insertImport = async (db: TenantDb, row: typeof catalogImports.$inferInsert, undoable: number) => {
  await db.insert(catalogImports).values(row)
  const latest = db
    .select({ id })
    .from(catalogImports)
    .where(eq(customerId, row.customerId))
    .orderBy(desc(createdAt), desc(id))
    .limit(undoable)
  await db
    .update(catalogImports)
    .set({ before: null })
    .where(and(eq(customerId, row.customerId), isNotNull(before), notInArray(id, latest)))
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
    .where(and(eq(customerId, tenant), gte(createdAt, since.toISOString())))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit)

/** The imports that have what undoes them. */
export const undoableImports = async (db: TenantDb, tenant: CustomerId): Promise<CatalogImportId[]> =>
  (
    await db
      .select({ id })
      .from(catalogImports)
      .where(and(eq(customerId, tenant), isNotNull(before)))
  ).map((row) => row.id)

/** Returns whether an import was received, also one that is not listed any more. */
export const importExists = async (db: TenantDb, tenant: CustomerId, which: CatalogImportId): Promise<boolean> => {
  const where = and(eq(customerId, tenant), eq(id, which))
  return (await db.select({ id }).from(catalogImports).where(where)).length > 0
}

/** Returns what undoes an import, up to tens of megabytes, or null. */
export const readImportBefore = async (db: TenantDb, tenant: CustomerId, which: CatalogImportId) => {
  const where = and(eq(customerId, tenant), eq(id, which))
  const [row] = await db.select({ before }).from(catalogImports).where(where)
  return row?.before ?? null
}

/** An import since a time without what undoes it, or null. */
export const findImport = async (db: TenantDb, tenant: CustomerId, which: CatalogImportId, since: Date) => {
  const { before: _, ...facts } = getTableColumns(catalogImports)
  const [row] = await db
    .select(facts)
    .from(catalogImports)
    .where(and(eq(customerId, tenant), eq(id, which), gte(createdAt, since.toISOString())))
  return row ?? null
}

/**
 * Lets the import before an undone one be undone, where the table was the same between the two:
 * undoing leaves what was added, so the table is another one now.
 */
export const moveImportBefore = async (
  db: TenantDb,
  { customerId: tenant, id: which, tableName, createdAt: at }: Omit<typeof catalogImports.$inferSelect, 'before'>,
  { from, to }: { from: string; to: string },
) => {
  const { tableName: table, afterHash, undoneAt } = catalogImports
  const earlier = sql`(${createdAt}, ${id}) < (${at}::timestamptz, ${which}::uuid)`
  const [before] = await db
    .select({ id, afterHash })
    .from(catalogImports)
    .where(and(eq(customerId, tenant), eq(table, tableName), isNull(undoneAt), earlier))
    .orderBy(desc(createdAt), desc(id))
    .limit(1)
  if (before?.afterHash !== from) return
  await db
    .update(catalogImports)
    .set({ afterHash: to })
    .where(and(eq(customerId, tenant), eq(id, before.id)))
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

/** Takes the lock of a store's imports until the transaction ends, once no other one holds it. */
export const lockImports = (db: TenantDb, tenant: CustomerId) =>
  db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 9))', [tenant])

/** Returns the store's images with the given addresses, wherever they are shown. */
export const picturesAt = async (
  db: TenantDb,
  tenant: CustomerId,
  urls: readonly string[],
): Promise<Map<string, Picture>> => {
  const { rows } = await db.$client.query<{ picture: Picture }>(
    `SELECT DISTINCT picture FROM (
       SELECT poster AS picture FROM products WHERE customer_id = $1
       UNION ALL SELECT poster_tall FROM products WHERE customer_id = $1
       UNION ALL SELECT jsonb_array_elements(gallery) FROM products WHERE customer_id = $1 AND gallery <> '[]'
       UNION ALL SELECT image_desktop FROM banners WHERE customer_id = $1
       UNION ALL SELECT image_mobile FROM banners WHERE customer_id = $1
     ) shown WHERE split_part(picture->>'url', '?', 1) = ANY($2::text[])`,
    [tenant, urls],
  )
  return new Map(rows.map(({ picture }) => [picture.url.replace(/\?.*$/s, ''), picture]))
}

/** Returns the locations of files for members or visitors: those of products and of notices. */
export const fileFactsOf = async (
  db: TenantDb,
  tenant: CustomerId,
  assets: readonly string[],
): Promise<Map<string, { bytes: number; contentType: string }>> => {
  const { rows } = await db.$client.query<{ asset: string; bytes: number; contentType: string }>(
    `SELECT asset, bytes, content_type AS "contentType" FROM attachments WHERE customer_id = $1 AND asset = ANY($2::text[])
     UNION ALL SELECT split_part(substr(file->>'url', 8), '?', 1), (file->>'bytes')::bigint, '' FROM notices, jsonb_array_elements(attachments) file
                WHERE customer_id = $1 AND split_part(substr(file->>'url', 8), '?', 1) = ANY($2::text[])`,
    [tenant, assets],
  )
  return new Map(rows.map(({ asset, ...facts }) => [asset, facts]))
}

export type CustomerRow = {
  id: CustomerId
  code: string
  use_customer: boolean
  use_site: boolean
  opened: boolean
  settings: SiteSettings
}

/** Serializes imports of one installation until the transaction ends. */
export const lockInstallation = (db: TenantDb) =>
  db.$client.query(`SELECT pg_advisory_xact_lock(hashtextextended('installation', 1))`)

/** Returns stores by code. Without `codes`, all of them. */
export const readCustomerRows = async (db: TenantDb, codes: readonly string[] | null): Promise<CustomerRow[]> => {
  const { rows } = await db.$client.query<CustomerRow>(
    `SELECT customer_id AS id, code, use_customer, use_site, opened, settings FROM customers
      WHERE ($1::text[] IS NULL OR code = ANY($1)) AND NOT is_installation ORDER BY code COLLATE "C"`,
    [codes],
  )
  return rows
}

/** Returns the ids of stores by code. Without `codes`, all of them. */
export const readCustomerIds = async (
  db: TenantDb,
  codes: readonly string[] | null,
): Promise<Map<string, CustomerId>> => {
  const { rows } = await db.$client.query<{ id: CustomerId; code: CustomerCode }>(
    'SELECT customer_id AS id, code FROM customer_codes WHERE $1::text[] IS NULL OR code = ANY($1)',
    [codes],
  )
  return new Map(rows.map(({ id, code }) => [code, id]))
}

/** Sets the three columns that make up the state of a store in the installation's tables. */
export const updateCustomerState = (db: TenantDb, customerId: CustomerId, state: StoreState) =>
  db.$client.query(
    // Preserves whether the store of an ended contract was online, and whether an offline store was
    // opened.
    `UPDATE customers SET use_customer = $2 <> 'ENDED',
            use_site = CASE WHEN $2 = 'ENDED' THEN use_site ELSE $2 <> 'CLOSED' END,
            opened = CASE WHEN $2 IN ('ENDED', 'CLOSED') THEN opened ELSE $2 = 'OPEN' END,
            maintenance = CASE WHEN $2 = 'OPEN' THEN NULL ELSE maintenance END
      WHERE customer_id = $1`,
    [customerId, state],
  )

/** Returns hosts with the codes of their stores, by store. Without `hosts`, all of them. */
export const readDomainRows = async (db: TenantDb, hosts: readonly string[] | null) => {
  const { rows } = await db.$client.query<{ host: string; customer: string }>(
    `SELECT d.host, c.code AS customer FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id
      WHERE ($1::text[] IS NULL OR d.host = ANY($1)) AND NOT c.is_installation ORDER BY c.code COLLATE "C", d.host COLLATE "C"`,
    [hosts],
  )
  return rows
}

/** Assigns a host to a store, even if another store had it. */
export const assignHost = (db: TenantDb, customerId: CustomerId, host: string) =>
  db.$client.query(
    `INSERT INTO customer_domains (customer_id, host) VALUES ($1, $2)
         ON CONFLICT (host) DO UPDATE SET customer_id = excluded.customer_id`,
    [customerId, host],
  )

/** Removes hosts from the stores that have them. */
export const deleteHosts = (db: TenantDb, hosts: readonly string[]) =>
  db.$client.query('DELETE FROM customer_domains WHERE host = ANY($1::text[])', [hosts])

/** Returns the number of rows in a table of the installation. */
export const countInstallationRows = async (db: TenantDb, table: 'customers' | 'customer_domains'): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
  return rows[0]?.count ?? 0
}
