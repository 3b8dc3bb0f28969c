import type pg from 'pg'
import type { Logger } from 'pino'
import { asError } from '#api/platform/log/log.ts'
import type { ChangeTopic } from '#contract/admin/changes.ts'
import { type CustomerId, customerId as customerIdSchema } from '#contract/ids.ts'
import { createClient, createOwnerPool, onConnection, type TenantDb, takeConnection } from './client.ts'

interface LockConnectionOptions {
  /** A direct connection to the database: a pooler would lend it to others. */
  url: string
  /** The name of the connection in `pg_stat_activity`. */
  name: string
  /** Called when the connection breaks or cannot be opened. Its locks are then released. */
  onLost: (error: unknown) => void
  /** A channel to listen on, and the handler of its messages. */
  listen?: { channel: string; onNotification: (payload: string) => void }
}

/**
 * A connection that holds advisory locks. The first query opens it, and it stays open until it is
 * closed or lost. The next query after that opens a new one.
 */
export interface LockConnection {
  isOpen: () => boolean
  /**
   * Runs queries one at a time, in the order of the calls. Returns whether the lock was acquired or
   * released.
   */
  query: (statement: string, parameters: readonly unknown[]) => Promise<boolean>
  close: () => Promise<void>
}

/**
 * Creates a connection for advisory locks. A lock belongs to its connection, so PostgreSQL releases
 * it when the process ends. A pool would hand the connection to others and would not report its
 * loss.
 */
export const createLockConnection = ({ url, name, onLost, listen }: LockConnectionOptions): LockConnection => {
  /** `last` is the latest query. The next one waits for it. */
  let link: { client: pg.Client; last: Promise<unknown> } | null = null

  const open = () => {
    const client = createClient({ connectionString: url, application_name: name })
    const onDisconnect = (error?: unknown) => {
      if (link?.client !== client) return
      link = null
      onLost(error)
    }
    client.on('error', onDisconnect)
    client.on('end', () => onDisconnect())
    if (listen) client.on('notification', ({ payload = '' }) => listen.onNotification(payload))
    const ready = client.connect().then(() => listen && client.query(`LISTEN ${listen.channel}`))
    ready.catch(onDisconnect)
    return { client, last: ready }
  }

  return {
    isOpen: () => link !== null,
    query: async (statement, parameters) => {
      link ??= open()
      const { client, last } = link
      const answer = last.then(() => client.query<{ done: boolean }>(statement, [...parameters]))
      link.last = answer.catch(() => undefined)
      return (await answer).rows[0]?.done === true
    },
    close: async () => {
      const closing = link
      link = null
      await closing?.client.end()
    },
  }
}

/** Milliseconds. */
const reconnectEvery = 5_000

/**
 * Calls `onNotification` with the notifications on a channel, from any process. Reconnects after a
 * failure. A periodic sweep has to handle what was missed meanwhile; `onReady` is called
 * with each connection, and `onLost` when it is lost. `name` is the name of the connection in
 * `pg_stat_activity`. `ready` resolves after the first attempt to connect, also when it failed.
 */
export const listen = (
  { jobsDatabaseUrl, log }: { jobsDatabaseUrl: string; log: Logger },
  { channel, name, onReady, onLost }: { channel: string; name: string; onReady?: () => void; onLost?: () => void },
  onNotification: (payload: string) => void,
): AsyncDisposable & { ready: Promise<void>; isListening: () => boolean } => {
  let client: pg.Client | null = null
  let isListening = false
  let isReported = false
  const connect = async () => {
    if (client) return
    const fresh = createClient({ connectionString: jobsDatabaseUrl, application_name: name })
    client = fresh
    const onDisconnect = (error?: Error) => {
      if (client !== fresh) return
      client = null
      if (isListening) onLost?.()
      isListening = false
      // Further attempts fail for the same reason.
      if (!isReported) log.warn({ err: error, channel }, 'A LISTEN connection to the database was lost')
      isReported = true
    }
    fresh.on('error', onDisconnect)
    fresh.on('end', () => onDisconnect())
    fresh.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
      // The connection may have been lost right after its answer.
      if (client !== fresh) return
      if (isReported) log.warn({ channel }, 'A LISTEN connection to the database was opened again')
      isReported = false
      isListening = true
      onReady?.()
    } catch (error) {
      onDisconnect(asError(error))
      await fresh.end().catch(() => undefined)
    }
  }
  let connecting = connect()
  const ready = connecting
  const timer = setInterval(() => {
    connecting = connect()
  }, reconnectEvery)
  timer.unref()
  return {
    ready,
    isListening: () => isListening,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await connecting
      const last = client
      client = null
      isListening = false
      await last?.end()
    },
  }
}

/**
 * Runs `work` for the tenants that a channel names, one after the other, each once more for what is
 * announced meanwhile. A failure is logged: the next sweep announces the tenant again.
 */
export const followWork = (
  deps: { jobsDatabaseUrl: string; log: Logger },
  { channel, name, failed }: { channel: string; name: string; failed: string },
  work: (id: CustomerId) => Promise<void>,
): AsyncDisposable => {
  const waiting = new Set<CustomerId>()
  let running: Promise<void> | null = null
  const runAll = async () => {
    for (const id of waiting) {
      waiting.delete(id)
      await work(id).catch((error: unknown) => deps.log.error({ err: error }, failed))
    }
  }
  const listener = listen(deps, { channel, name }, (payload) => {
    const { data: id } = customerIdSchema.safeParse(payload)
    if (id) waiting.add(id)
    running ??= runAll().finally(() => {
      running = null
    })
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]()
      await running
    },
  }
}

/** The channel of what has changed in a store. The payload is the tenant's id and the topic. */
export const changesChannel = 'marquee_changes'

/**
 * Tells the open consoles of a tenant that something has changed, and with `workChannel` also the
 * workers that work is due, when the transaction commits.
 */
export const announceChange = async (
  db: TenantDb,
  customerId: CustomerId,
  topic: ChangeTopic,
  workChannel?: string,
): Promise<void> => {
  const change = [changesChannel, `${customerId} ${topic}`]
  if (workChannel === undefined) await db.$client.query('SELECT pg_notify($1, $2)', change)
  else await db.$client.query('SELECT pg_notify($1, $2), pg_notify($3, $4)', [...change, workChannel, customerId])
}

/**
 * Compares the clock of this machine with the database's. Returns by how many milliseconds it is
 * ahead for certain, however long the answer took.
 *
 * @throws why the database does not answer
 */
export const readClockSkew = async (pool: pg.Pool): Promise<number> => {
  const begun = Date.now()
  const { rows } = await pool.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  )
  const ended = Date.now()
  const now = rows[0]?.now ?? ended
  return Math.max(0, begun - now) - Math.max(0, now - ended)
}

/**
 * Writes 2 MB to a table that ends with its transaction.
 *
 * @throws the database's error if its disk is full
 */
export const probeDatabaseDisk = async (pool: Pick<pg.Pool, 'query'>): Promise<void> => {
  await pool.query(`CREATE TEMPORARY TABLE disk_probe ON COMMIT DROP AS
    SELECT repeat(md5(n::text), 60) AS filler FROM generate_series(1, 1000) n`)
}

interface ClockRow {
  ahead: number
}

/** Returns the offset of the store's clock from the system clock, in milliseconds. */
export const readClock = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<ClockRow>('SELECT ahead_milliseconds AS ahead FROM store_clock')
  return Number(rows[0]?.ahead ?? 0)
}

/** Advances the clock by `milliseconds`. Returns the new offset in milliseconds. */
export const moveClock = async (pool: pg.Pool, milliseconds: number): Promise<number> => {
  const { rows } = await pool.query<ClockRow>(
    `INSERT INTO store_clock (ahead_milliseconds) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET ahead_milliseconds = store_clock.ahead_milliseconds + $1
       RETURNING ahead_milliseconds AS ahead`,
    [milliseconds],
  )
  return Number(rows[0]?.ahead ?? 0)
}

/** Reads the whole installation in one snapshot. Writes of `work` are rolled back. */
export const withSnapshot = async <Answer>(pool: pg.Pool, work: (db: TenantDb) => Promise<Answer>): Promise<Answer> => {
  const { client, breakUp, release } = await takeConnection(pool)
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await work(onConnection(client))
  } finally {
    await client.query('ROLLBACK').catch(breakUp)
    release()
  }
}

/**
 * Runs `work` in one transaction on a separate connection that is not bound to a tenant, as the
 * role that owns the tables. Rolls back when `work` throws, or when `shouldCommit` returns false
 * for the answer.
 */
export const withOwner = async <Answer>(
  ownerUrl: string,
  work: (db: TenantDb) => Promise<Answer>,
  shouldCommit: (answer: Answer) => boolean,
): Promise<Answer> => {
  const pool = createOwnerPool(ownerUrl, 1)
  try {
    const { client, release } = await takeConnection(pool)
    try {
      await client.query('BEGIN')
      const answer = await work(onConnection(client))
      await client.query(shouldCommit(answer) ? 'COMMIT' : 'ROLLBACK')
      return answer
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    } finally {
      release()
    }
  } finally {
    await pool.end()
  }
}
