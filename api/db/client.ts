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

/** No connection to the database was to be had: all are in use for too long, or it does not answer. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** A database that is away fails every request: one of them a while is enough for the log. Milliseconds. */
const reportEvery = 5_000

/**
 * A pool of connections that own nothing. Who waits for one in vain gets `DatabaseUnavailable`. `onError` hears of that, and of
 * connections that break while idle, until the pool is ended.
 */
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
  let reportedAt = Number.NEGATIVE_INFINITY
  const unavailable = (error: Error) => {
    const wrapped = new DatabaseUnavailable(error)
    if (!pool.ending && performance.now() - reportedAt > reportEvery) {
      reportedAt = performance.now()
      onError(wrapped)
    }
    return wrapped
  }
  const connect = pool.connect.bind(pool)
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    // The pool's own `query` comes with a callback.
    if (callback) return connect((error, client, done) => callback(error && unavailable(error), client, done))
    return connect().catch((error: Error) => {
      throw unavailable(error)
    })
  }) as typeof pool.connect
  return pool
}

export const onConnection = (client: pg.PoolClient): TenantDb => drizzle({ client }) as unknown as TenantDb
