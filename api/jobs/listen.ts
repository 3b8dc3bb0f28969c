import pg from 'pg'
import type { Deps } from '#api/deps.ts'

const reconnectEvery = 30_000

/**
 * Calls `hear` with what is announced on a channel, by whichever process. A listener that breaks comes back; what it missed is the
 * sweep's. `name` is what the database knows its connection by.
 */
export const listen = (
  { pool, log }: Pick<Deps, 'pool' | 'log'>,
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
      lose(error as Error)
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
