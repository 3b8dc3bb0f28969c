import type pg from 'pg'
import type { Logger } from 'pino'
import { asError } from '#api/platform/log/log.ts'
import { createClient } from './client.ts'

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
  query: (statement: string, given: readonly unknown[]) => Promise<boolean>
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
    query: async (statement, given) => {
      link ??= open()
      const { client, last } = link
      const answer = last.then(() => client.query<{ done: boolean }>(statement, [...given]))
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

const reconnectEvery = 30_000

/**
 * Calls `hear` with the notifications on a channel, from any process. Reconnects after a failure. A
 * periodic sweep has to handle what was missed meanwhile. `name` is the name of the connection in
 * `pg_stat_activity`.
 */
export const listen = (
  { jobsDatabaseUrl, log }: { jobsDatabaseUrl: string; log: Logger },
  { channel, name }: { channel: string; name: string },
  onNotification: (payload: string) => void,
): AsyncDisposable & { ready: Promise<void> } => {
  let client: pg.Client | null = null
  const connect = async () => {
    if (client) return
    const fresh = createClient({ connectionString: jobsDatabaseUrl, application_name: name })
    client = fresh
    const onDisconnect = (error?: Error) => {
      if (client !== fresh) return
      client = null
      log.warn({ err: error, channel }, 'A LISTEN connection to the database was lost')
    }
    fresh.on('error', onDisconnect)
    fresh.on('end', () => onDisconnect())
    fresh.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
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
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await connecting
      const last = client
      client = null
      await last?.end()
    },
  }
}

/** Whether the database answers. */
export const isDatabaseReachable = (pool: pg.Pool): Promise<boolean> =>
  pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
