import { setTimeout as sleep } from 'node:timers/promises'
import { ERRORS, type Locker } from '@tus/server'
import pg from 'pg'
import type { Logger } from 'pino'

/** How long a request waits for the one before it to let go, and how often it looks. */
const patience = 30_000
const lookEvery = 100
const channel = 'marquee_uploads'
const lockOf = 'hashtextextended($1, 4)'

const taken = { status_code: 423, body: 'Another request is writing to this upload: try again in a while.' }
const away = { status_code: 503, body: 'Uploads cannot be locked now: try again in a while.' }

interface Holder {
  /** Asks whoever writes to end: another request of the same client has come, so its line must have broken. */
  requestRelease: () => Promise<void> | void
}
interface Link {
  client: pg.Client
  /** What was asked last: a connection answers one question after the other. */
  last: Promise<unknown>
}

/**
 * Lets one request at a time write to an upload, whichever of the processes on the data it reaches; answers the locks of one tenant's
 * uploads. Within the process they know of each other. Between processes the database keeps them, on one connection that is there
 * while uploads are under way: a process that is gone leaves none behind. Should the connection break, the uploads that hung on it
 * are asked to end, and their clients go on where they were.
 */
export const createUploadLocks = ({ pool, log }: { pool: pg.Pool; log: Logger }): ((customerId: string) => Locker) => {
  const held = new Map<string, Holder>()
  let users = 0
  let link: Link | null = null

  const open = (): Link => {
    const { connectionString } = pool.options
    const client = new pg.Client({ connectionString, application_name: 'marquee-uploads' })
    const lose = (error?: unknown) => {
      if (link?.client !== client) return
      link = null
      log.warn({ err: error }, 'The locks of uploads were lost')
      for (const { requestRelease } of held.values()) void requestRelease()
    }
    client.on('error', lose)
    client.on('end', () => lose())
    client.on('notification', ({ payload = '' }) => void held.get(payload)?.requestRelease())
    const ready = client.connect().then(() => client.query(`LISTEN ${channel}`))
    ready.catch(lose)
    return { client, last: ready }
  }
  const ask = (statement: string, given: string[]) => {
    link ??= open()
    const { client, last } = link
    const answer = last.then(() => client.query<{ done: boolean }>(statement, given))
    link.last = answer.catch(() => undefined)
    return answer
  }
  const leave = () => {
    users--
    if (users > 0) return
    const last = link
    link = null
    void last?.client.end().catch(() => undefined)
  }

  const lock = async (key: string, signal: AbortSignal, requestRelease: Holder['requestRelease']) => {
    for (const until = Date.now() + patience; Date.now() < until; await sleep(lookEvery)) {
      if (signal.aborted) throw ERRORS.ABORTED
      const other = held.get(key)
      if (other) {
        await other.requestRelease()
        continue
      }
      // Whoever comes meanwhile finds it taken, but has nobody to ask to end before it is.
      const own: Holder = { requestRelease: () => undefined }
      held.set(key, own)
      try {
        const answer = await ask(`SELECT pg_try_advisory_lock(${lockOf}) AS done`, [key])
        if (answer.rows[0]?.done) {
          own.requestRelease = requestRelease
          return
        }
        await ask('SELECT pg_notify($1, $2)', [channel, key])
      } catch (error) {
        held.delete(key)
        log.warn({ err: error }, 'An upload could not be locked')
        throw away
      }
      held.delete(key)
    }
    throw taken
  }
  const unlock = async (key: string) => {
    held.delete(key)
    if (link) await ask(`SELECT pg_advisory_unlock(${lockOf}) AS done`, [key]).catch(() => undefined)
    leave()
  }

  return (customerId) => ({
    newLock: (id) => {
      const key = `${customerId}/${id}`
      return {
        lock: async (signal, requestRelease) => {
          users++
          try {
            await lock(key, signal, requestRelease)
          } catch (error) {
            leave()
            throw error
          }
        },
        unlock: () => unlock(key),
      }
    },
  })
}
