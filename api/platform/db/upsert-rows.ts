import type { TenantDb } from './client.ts'

export type Row = Record<string, unknown>

/** Quotes an SQL identifier from the code. Not for user input: quotes inside are not escaped. */
export const quotedName = (text: string) => `"${text}"`

/**
 * Inserts rows, or replaces those whose primary key exists, in one statement. All rows must have
 * the same columns.
 */
export const upsertRows = async (db: TenantDb, table: string, rows: readonly Row[], key = 'id'): Promise<void> => {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const changed = columns.filter((column) => column !== 'customer_id' && column !== key)
  await db.$client.query(
    `INSERT INTO ${quotedName(table)} (${columns.map(quotedName).join(', ')})
     SELECT ${columns.map(quotedName).join(', ')} FROM jsonb_populate_recordset(NULL::${quotedName(table)}, $1::jsonb)
         ON CONFLICT (customer_id, ${quotedName(key)})
         DO UPDATE SET ${changed.map((column) => `${quotedName(column)} = excluded.${quotedName(column)}`).join(', ')}`,
    [JSON.stringify(rows)],
  )
}
