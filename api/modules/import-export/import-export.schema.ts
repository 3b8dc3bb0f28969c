import { customType, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { ImportTable } from '#contract/admin/imports.ts'
import type { CatalogImportId } from '#contract/ids.ts'
import type { Counts } from './report.ts'

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Imports of the last 30 days with what undoes them. */
export const catalogImports = pgTable(
  'catalog_imports',
  {
    customerId: customerId(),
    id: id<CatalogImportId>(),
    /** The table of the catalogue. */
    tableName: text('table_name').$type<ImportTable>().notNull(),
    fileName: text('file_name').notNull(),
    actor: text('actor').notNull(),
    counts: jsonb('counts').$type<Counts>().notNull(),
    /** A snapshot of the table before it; null where it is too large, or not one of the latest. */
    before: bytes('before'),
    /** The hash of the table after it: undone only while the table is the same. */
    afterHash: text('after_hash').notNull(),
    createdAt: createdAt(),
    undoneAt: at('undone_at'),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.id] }), index('catalog_imports_latest').on(t.customerId, t.createdAt)],
)
