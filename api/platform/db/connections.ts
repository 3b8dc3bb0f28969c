import pg from 'pg'
import type { Logger } from 'pino'
import { asError } from '#api/platform/log.ts'

interface Telling {
  pool: pg.Pool
  /** What the database lists it as. */
  name: string
  /** It broke, or never came about: what it held is held no more. */
  onLost: (error: unknown) => void
  /** A channel to listen on, and who hears what is said there. */
  listen?: { channel: string; onHeard: (said: string) => void }
}

/** A connection that keeps locks. It is there from the first question until it is closed or lost; the next question opens another. */
export interface LockConnection {
  isOpen: () => boolean
  /** One question at a time, in the order they were asked in; answers whether what was asked for was done. */
  ask: (statement: string, given: readonly unknown[]) => Promise<boolean>
  close: () => Promise<void>
}

/**
 * Locks of the database belong to a connection, so that a process that is gone leaves none behind. They need one that no pool hands on
 * to others, and that says when it is lost.
 */
export const createLockConnection = ({ pool, name, onLost, listen }: Telling): LockConnection => {
  /** `last` is what was asked last: a connection answers one question after the other. */
  let link: { client: pg.Client; last: Promise<unknown> } | null = null

  const open = () => {
    const { connectionString } = pool.options
    const client = new pg.Client({ connectionString, application_name: name })
    const lose = (error?: unknown) => {
      if (link?.client !== client) return
      link = null
      onLost(error)
    }
    client.on('error', lose)
    client.on('end', () => lose())
    if (listen) client.on('notification', ({ payload = '' }) => listen.onHeard(payload))
    const ready = client.connect().then(() => listen && client.query(`LISTEN ${listen.channel}`))
    ready.catch(lose)
    return { client, last: ready }
  }

  return {
    isOpen: () => link !== null,
    ask: async (statement, given) => {
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
 * Calls `hear` with what is announced on a channel, by whichever process. A listener that breaks comes back; what it missed is the
 * sweep's. `name` is what the database knows its connection by.
 */
export const listen = (
  { pool, log }: { pool: pg.Pool; log: Logger },
  { channel, name }: { channel: string; name: string },
  hear: (payload: string) => void,
): AsyncDisposable & { ready: Promise<void> } => {
  let client: pg.Client | null = null
  const connect = async () => {
    if (client) return
    const fresh = new pg.Client({ connectionString: pool.options.connectionString, application_name: name })
    client = fresh
    const lose = (error?: Error) => {
      if (client !== fresh) return
      client = null
      log.warn({ err: error, channel }, 'A listener lost its connection')
    }
    fresh.on('error', lose)
    fresh.on('end', () => lose())
    fresh.on('notification', ({ payload = '' }) => hear(payload))
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
    } catch (error) {
      lose(asError(error))
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
