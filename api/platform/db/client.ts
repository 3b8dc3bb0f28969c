import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'

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
    // Queries that do not wait for each other are sent together; see `readTogether`.
    pipeline: true,
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
  // The overloads of `connect` are those of the original.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    // The pool's own `query` comes with a callback.
    if (callback) return connect((error, client, done) => callback(error && unavailable(error), client, done))
    return connect().catch((error: Error) => {
      throw unavailable(error)
    })
  }) as typeof pool.connect
  return pool
}

export const onConnection = (client: pg.PoolClient): TenantDb =>
  drizzle<Record<string, never>, pg.PoolClient>({ client })

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const serializationFailure = '40001'
const deadlock = '40P01'
const attempts = 4

const sqlState = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return error.code
  return error instanceof Error && error.cause ? sqlState(error.cause) : undefined
}

/** The SQLSTATE of a database error, through the wrappings it may have; undefined for any other error. */
export const databaseErrorCode = sqlState

/** SQLSTATEs of a database that is going away, is not up yet, or takes no more connections. */
const away = /^(?:08|57P0[1-5]$|53300$)/
/** What the driver says of a connection that broke under a statement; these errors have no code. */
const broke = /^Connection terminated|^Client has encountered a connection error/

/** Whether an error says that the database cannot be reached for now, rather than that something is wrong with what was asked. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailable || away.test(sqlState(error) ?? '') || broke.test(error.message)) return true
  return isDatabaseUnavailable(error.cause)
}

/** When whoever was told so may ask again, in seconds. */
export const databaseRetrySeconds = 5

interface Begin {
  /** The database refuses every write. */
  readOnly?: boolean
}

/** Begins a transaction and binds it to its tenant, in a single message. */
export const beginTenant = (customerId: CustomerId, { readOnly = false }: Begin = {}) => {
  if (!uuid.test(customerId)) throw new Error(`${customerId} is not a customer id`)
  return `BEGIN${readOnly ? ' READ ONLY' : ''}; SELECT set_config('marquee.customer_id', '${customerId}', true)`
}

/**
 * Runs `work` in one transaction of one tenant: begun and bound to the tenant in a single message, rolled back when `work` throws,
 * run again when the database says that two transactions got into each other's way. `work` must therefore have no effect outside.
 */
export const withTenant = async <Answer>(
  pool: pg.Pool,
  customerId: CustomerId,
  work: (db: TenantDb) => Promise<Answer>,
  how: Begin = {},
): Promise<Answer> => {
  const begin = beginTenant(customerId, how)
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    let broken: Error | undefined
    // The pool listens to idle connections only. A connection that breaks in use fails its statement; without a listener it would
    // end the process as well.
    const onLost = (lost: Error) => {
      broken = lost
    }
    client.on('error', onLost)
    try {
      await client.query(begin)
      const answer = await work(onConnection(client))
      await client.query('COMMIT')
      return answer
    } catch (error) {
      await client.query('ROLLBACK').catch((lost: Error) => {
        broken = lost
      })
      const state = sqlState(error)
      if ((state !== serializationFailure && state !== deadlock) || attempt === attempts)
        throw broken ? new DatabaseUnavailable(error) : error
    } finally {
      client.off('error', onLost)
      client.release(broken)
    }
    await sleep(Math.random() * 10 * 2 ** attempt)
  }
}

/** Binds the rest of a transaction to a store: what belongs to others is neither seen nor written. */
export const bindTenant = async (db: Pick<NodePgDatabase, 'execute'>, id: CustomerId): Promise<void> => {
  await db.execute(sql`SELECT set_config('marquee.customer_id', ${id}, true)`)
}

/**
 * A hot statement: parsed and planned once a connection, under its name. The name belongs to the text; change both together.
 */
export const named = async <Row extends pg.QueryResultRow>(
  db: TenantDb,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> => (await db.$client.query<Row>({ name, text, values: [...values] })).rows

/** Whether the database answers. */
export const isReachable = (pool: pg.Pool): Promise<boolean> =>
  pool.query('SELECT 1').then(
    () => true,
    () => false,
  )

/** Reads all of the installation as it is at one moment; nothing that `work` writes stays. */
export const withSnapshot = async <Answer>(pool: pg.Pool, work: (db: TenantDb) => Promise<Answer>): Promise<Answer> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await work(onConnection(client))
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/**
 * Runs `work` in one transaction of a connection of its own, which is not bound to a tenant: for the role that owns the tables.
 * It is rolled back when `work` throws, or when `keeps` refuses the answer.
 */
export const withOwner = async <Answer>(
  ownerUrl: string,
  work: (db: TenantDb) => Promise<Answer>,
  keeps: (answer: Answer) => boolean,
): Promise<Answer> => {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, options: '-c timezone=UTC' })
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const answer = await work(onConnection(client))
    await client.query(keeps(answer) ? 'COMMIT' : 'ROLLBACK')
    return answer
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
    await pool.end()
  }
}
