import type pg from 'pg'
import { tenantTables } from '#api/platform/db/cluster.ts'

/** The version of PostgreSQL, and its time in milliseconds since 1970. */
export const readServerFacts = async (client: pg.Client): Promise<{ version: string; now: number }> => {
  const { rows } = await client.query<{ version: string; now: number }>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
            (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
  )
  return { version: rows[0]?.version ?? '', now: rows[0]?.now ?? 0 }
}

/**
 * The tables with rows of tenants that no policy protects from the serving role, and the number of
 * those with rows of tenants.
 */
export const readUnprotectedTables = async (pool: pg.Pool): Promise<{ tables: number; unprotected: string[] }> => {
  const { rows } = await pool.query<{ tables: number; unprotected: string[] }>(
    `SELECT count(*)::int AS tables, coalesce(array_agg(name ORDER BY name) FILTER (WHERE NOT is_protected), '{}') AS unprotected
       FROM (${tenantTables}) t`,
  )
  return { tables: rows[0]?.tables ?? 0, unprotected: rows[0]?.unprotected ?? [] }
}
