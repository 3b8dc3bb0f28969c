import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** One connection inside a tenant's transaction. */
export type TenantDb = NodePgDatabase & { $client: pg.PoolClient }

// Counters and amounts are bigint columns; all of them stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text))
// Times leave the database as ISO 8601, the contract's form.
const iso = (text: string) => new Date(text).toISOString()
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, iso)

export interface PoolOptions {
  connectionString: string
  /** Connections at most. */
  size: number
  /** Milliseconds a statement may run. */
  statementTimeout: number
}

/** A pool of connections that own nothing; `onError` hears of those that break while idle, until the pool is ended. */
export function createPool(
  { connectionString, size, statementTimeout }: PoolOptions,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeout,
    application_name: 'marquee',
    // Reading time zones from the session would make answers depend on the server's settings.
    options: '-c timezone=UTC',
  })
  pool.on('error', (error) => {
    if (!pool.ending) onError(error)
  })
  return pool
}

export const onConnection = (client: pg.PoolClient): TenantDb => drizzle({ client }) as unknown as TenantDb
