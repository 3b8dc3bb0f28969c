import type { Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

/** The columns, as `table.column`, in which any row of a tenant contains a text in any case. */
export const columnsWith = async (
  api: TestApi,
  tenant: Pick<Tenant, 'id' | 'within'>,
  text: string,
): Promise<string[]> => {
  const { rows: columns } = await api.owner.execute<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column
       FROM information_schema.columns c
       JOIN information_schema.columns t ON t.table_schema = 'public' AND t.table_name = c.table_name AND t.column_name = 'customer_id'
      WHERE c.table_schema = 'public' AND (c.data_type IN ('text', 'jsonb', 'json', 'character varying', 'ARRAY'))
      ORDER BY 1, 2`,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    const hit = await tenant.within(async (db) => {
      const { rows } = await db.$client.query<{ hits: number }>(
        `SELECT count(*)::int AS hits FROM "${table}" t
          WHERE customer_id = $1 AND strpos(lower(to_jsonb(t."${column}")::text), lower($2)) > 0`,
        [tenant.id, text],
      )
      return (rows[0]?.hits ?? 0) > 0
    })
    if (hit) found.push(`${table}.${column}`)
  }
  return found
}
