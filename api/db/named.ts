import type pg from 'pg'
import type { TenantDb } from './client.ts'

/**
 * A hot statement: parsed and planned once a connection, under its name. The name belongs to the text; change both together.
 */
export const named = async <Row extends pg.QueryResultRow>(
  db: TenantDb,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> => (await db.$client.query<Row>({ name, text, values: [...values] })).rows
