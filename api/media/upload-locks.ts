import { setTimeout as sleep } from 'node:timers/promises'
import { ERRORS, type Locker } from '@tus/server'
import type pg from 'pg'
import type { Logger } from 'pino'
import { createLockConnection } from '#api/lock-connection.ts'

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

/**
 * Lets one request at a time write to an upload, whichever of the processes on the data it reaches; answers the locks of one tenant's
 * uploads. Within the process they know of each other. Between processes the database keeps them, on one connection that is there
 * while uploads are under way: a process that is gone leaves none behind. Should the connection break, the uploads that hung on it
 * are asked to end, and their clients go on where they were.
 */
export const createUploadLocks = ({ pool, log }: { pool: pg.Pool; log: Logger }): ((customerId: string) => Locker) => {
  const held = new Map<string, Holder>()
  let users = 0
  const connection = createLockConnection({
    ...{ pool, name: 'marquee-uploads' },
    onLost: (error) => {
      log.warn({ err: error }, 'The locks of uploads were lost')
      for (const { requestRelease } of held.values()) void requestRelease()
    },
    listen: { channel, onHeard: (key) => void held.get(key)?.requestRelease() },
  })
  const leave = () => {
    users--
    if (users === 0) void connection.close().catch(() => undefined)
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
        if (await connection.ask(`SELECT pg_try_advisory_lock(${lockOf}) AS done`, [key])) {
          own.requestRelease = requestRelease
          return
        }
        await connection.ask('SELECT pg_notify($1, $2)', [channel, key])
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
    if (connection.isOpen())
      await connection.ask(`SELECT pg_advisory_unlock(${lockOf}) AS done`, [key]).catch(() => undefined)
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
