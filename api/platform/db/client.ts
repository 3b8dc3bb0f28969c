import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { measureStatements } from '#api/platform/telemetry/telemetry.ts'
import type { CustomerId } from '#contract/ids.ts'
import { errorCode } from '#contract/safe-error.ts'

/** A connection inside the transaction of a tenant. */
export type TenantDb = NodePgDatabase & { $client: pg.PoolClient }

// Counters and amounts are bigint columns. Their values stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text))
// The contract uses ISO 8601 for times.
const iso = (text: string) => new Date(text).toISOString()
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, iso)

export interface PoolOptions {
  connectionString: string
  /** The maximum number of connections. */
  size: number
  /**
   * Whether a pooler shares connections of the server by transaction. It refuses settings of a
   * connection, so that only transactions have the time limit of statements.
   */
  isPooled?: boolean
}

/** The time limit of a statement, in milliseconds. */
const statementTimeout = 9_000
/**
 * The time limit of an answer, in milliseconds: the system keeps the connections of a machine that
 * failed without closing them for a quarter of an hour.
 */
const answerTimeout = 20_000

/** No connection is available: all are in use for too long, or the database does not answer. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Milliseconds between log lines while the database is down, when every request fails. */
const reportEvery = 5_000

/**
 * The only place that creates pools. Without a listener, an idle connection that breaks ends the
 * process. An ending pool does not wait for its sockets, so the database may stop before they
 * close.
 */
const newPool = (options: pg.PoolConfig, onError: (error: Error) => void): pg.Pool => {
  // Answers must not depend on the time zone setting of the server.
  const pool = new pg.Pool({ ...options, options: '-c timezone=UTC' })
  pool.on('error', (error) => {
    if (!pool.ending) onError(error)
  })
  return pool
}

/**
 * Creates a pool of the role that owns the tables. A connection that breaks while idle is replaced
 * by the next query.
 */
export const createOwnerPool = (connectionString: string, size: number): pg.Pool =>
  newPool({ connectionString, max: size }, () => {})

/** Creates a single connection. One that breaks while idle fails its next query. */
export const createClient = (options: pg.ClientConfig): pg.Client => {
  const client = new pg.Client(options)
  client.on('error', () => {})
  return client
}

/**
 * Creates a pool of connections. A request that waits too long for a connection fails with
 * `DatabaseUnavailable`. `onError` is called with these failures, and with idle connections that
 * break, until the pool ends.
 */
export function createPool(
  { connectionString, size, isPooled = false }: PoolOptions,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = newPool(
    {
      connectionString,
      max: size,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      query_timeout: answerTimeout,
      keepAlive: true,
      ...(!isPooled && { statement_timeout: statementTimeout }),
      // Sends independent queries together. See `readInOneRoundTrip`.
      pipeline: true,
      application_name: 'marquee',
    },
    onError,
  )
  measureStatements(pool)
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
  // Keeps the overloads of the original `connect`.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => {
    // The pool's own `query` passes a callback.
    if (callback) return connect((error, client, done) => callback(error && unavailable(error), client, done))
    return connect().catch((error: Error) => {
      throw unavailable(error)
    })
  }) as typeof pool.connect
  const query = pool.query.bind(pool)
  // The type keeps the overloads of the original `query`.
  return Object.assign(pool, {
    query: (...given: Parameters<typeof query>) => {
      const answer: unknown = query(...given)
      return answer instanceof Promise ? answer.catch(throwAsUnavailable) : answer
    },
  })
}

/** Returns queries on one connection. The caller sets the tenant and ends the transaction. */
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

/** Returns the SQLSTATE of a database error, also of a wrapped one; undefined for other errors. */
export const databaseErrorCode = sqlState

/**
 * SQLSTATEs of a database that shuts down, starts up, has no connection, memory or disk space left,
 * or is too slow: a migration may hold a lock.
 */
const unavailableStates = /^(?:08|57P0[1-5]$|57014$|55P03$|53[0-3]00$)/
/**
 * The driver's messages for a connection that broke during a statement, which have no code, and the
 * coordinator's for one to a worker.
 */
const brokenConnection =
  /^Connection terminated|^Client has encountered a connection error|^Query read timeout|^failure on connection marked/

/**
 * Whether the error means that the database is unreachable for now, rather than that the query is
 * wrong.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (
    error instanceof DatabaseUnavailable ||
    unavailableStates.test(sqlState(error) ?? '') ||
    brokenConnection.test(error.message)
  )
    return true
  return isDatabaseUnavailable(error.cause)
}

/** Codes of a socket that was disconnected. Sockets of other services have them too. */
const lostSocket = /^(?:EPIPE|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/

/**
 * Throws an error of a statement again: as `DatabaseUnavailable` where it is one of the
 * connection's socket.
 */
export const throwAsUnavailable = (error: unknown): never => {
  throw hasLostSocket(error) ? new DatabaseUnavailable(error) : error
}

const hasLostSocket = (error: unknown): boolean =>
  error instanceof Error && (lostSocket.test(errorCode(error) ?? '') || hasLostSocket(error.cause))

/**
 * Whether the database answers, but is too slow or has no memory or disk space left, of which its
 * pool of connections logs nothing.
 */
export const isDatabaseOverloaded = (error: unknown): boolean =>
  /^(?:57014|55P03|53[0-2]00)$/.test(sqlState(error) ?? '')

/** Whether the database has refused a write because its disk is full. */
export const isDiskFull = (error: unknown): boolean => sqlState(error) === '53100'

/** The `Retry-After` of a request that failed because the database is unreachable. Seconds. */
export const databaseRetrySeconds = 5

/** A connection that is in use. */
interface TakenConnection {
  client: pg.PoolClient
  /** Gives up the connection: it is closed instead of reused. */
  breakUp: (error: Error) => void
  /** Whether the connection was lost or given up. */
  isBroken: () => boolean
  release: () => void
}

/**
 * Takes a connection from the pool. The pool handles errors of idle connections only: one that
 * breaks while it is in use fails its statement, and would also end the process without a listener.
 */
export const takeConnection = async (pool: pg.Pool): Promise<TakenConnection> => {
  const client = await pool.connect()
  let broken: Error | undefined
  const breakUp = (error: Error) => {
    broken = error
  }
  client.on('error', breakUp)
  return {
    client,
    breakUp,
    isBroken: () => broken !== undefined,
    release: () => {
      client.off('error', breakUp)
      client.release(broken)
    },
  }
}

interface TransactionOptions {
  /** The database rejects every write. */
  readOnly?: boolean
}

const tenantSetting = (id: CustomerId) => {
  if (uuid.test(id)) return `SET LOCAL marquee.customer_id = '${id}'`
  throw new Error(`${id} is not a customer id`)
}

/**
 * Begins a transaction and binds it to its tenant in one message. All settings end with the
 * transaction, because the next one of the connection may be another process's. A cluster passes
 * settings of SET LOCAL on to its nodes, those of `set_config` not.
 */
export const beginTenant = (customerId: CustomerId, { readOnly = false }: TransactionOptions = {}) => {
  return `BEGIN${readOnly ? ' READ ONLY' : ''}; ${tenantSetting(customerId)}; SET LOCAL statement_timeout = ${statementTimeout}`
}

/**
 * Runs `work` in one transaction of one tenant. Rolls back when `work` throws, and runs `work`
 * again after a serialization failure or a deadlock. `work` must therefore have no effects outside
 * of the transaction.
 */
export const withTenant = async <Answer>(
  pool: pg.Pool,
  customerId: CustomerId,
  work: (db: TenantDb) => Promise<Answer>,
  how: TransactionOptions = {},
): Promise<Answer> => {
  const begin = beginTenant(customerId, how)
  for (let attempt = 1; ; attempt++) {
    const { client, breakUp, isBroken, release } = await takeConnection(pool)
    try {
      await client.query(begin)
      const answer = await work(onConnection(client))
      await client.query('COMMIT')
      return answer
    } catch (error) {
      await client.query('ROLLBACK').catch(breakUp)
      const state = sqlState(error)
      if ((state !== serializationFailure && state !== deadlock) || attempt === attempts)
        throw isBroken() ? new DatabaseUnavailable(error) : error
    } finally {
      release()
    }
    await sleep(Math.random() * 10 * 2 ** attempt)
  }
}

/**
 * Binds the rest of a transaction to a tenant. Row-level security then hides the rows of other
 * tenants and rejects writes to them.
 */
export const bindTenant = async (db: Pick<NodePgDatabase, 'execute'>, id: CustomerId): Promise<void> => {
  // In a cluster, the role that serves has the first setting. An owner has not.
  await db.execute(sql.raw(`SET LOCAL citus.propagate_set_commands = 'local'; ${tenantSetting(id)}`))
}

/**
 * Runs a prepared statement, which PostgreSQL parses and plans once per connection. Change the name
 * together with the text, because a connection reuses the plan by name.
 */
export const named = async <Row extends pg.QueryResultRow>(
  db: TenantDb,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> => (await db.$client.query<Row>({ name, text, values: [...values] })).rows
