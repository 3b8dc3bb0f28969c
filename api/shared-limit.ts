import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'
import type { Clock } from './context.ts'
import type { TenantDb } from './db/client.ts'
import { countedAttempts, forgetAttempts, giveBackAttempt, takeAttempt } from './db/queries/attempts.ts'
import { withTenant } from './db/with-tenant.ts'
import type { Limit } from './rate-limit.ts'

export interface SharedLimitOptions extends Limit {
  /** From `after` tries on each waits: for so many seconds, and for twice as long each time. */
  pause?: { after: number; seconds: number }
}

type Exhausted = { code: 'EXHAUSTED'; retryAfterSeconds: number }
/** `count` is how many tries count with this one. */
export type SharedTicket = { code: 'TAKEN'; count: number; giveBack: () => Promise<void> } | Exhausted

/**
 * Counts a tenant's attempts by key in a sliding window, in the database: however many processes serve the store, somebody who guesses
 * has the tries of one. A ticket is taken before the attempt, and given back when the attempt turned out harmless.
 */
export const createSharedLimit = (
  { clock, pool }: { clock: Clock; pool: pg.Pool },
  name: string,
  { attempts, windowSeconds, pause }: SharedLimitOptions,
) => {
  const windowMilliseconds = windowSeconds * 1000
  const [pauseAfter, pauseMilliseconds] = pause ? [pause.after, pause.seconds * 1000] : [attempts, 0]
  const keyOf = (key: string) => ({ name, keyHash: createHash('sha256').update(key).digest('base64url') })

  /** How long until the next try counts; null where it may come now. */
  const waitOf = async (db: TenantDb, customerId: CustomerId, key: string, now: number): Promise<Exhausted | null> => {
    const since = now - windowMilliseconds
    const { count, oldest, latest } = await countedAttempts(db, customerId, keyOf(key), since)
    const full = count >= attempts ? oldest - since : 0
    const paused = count >= pauseAfter ? latest + pauseMilliseconds * 2 ** (count - pauseAfter) - now : 0
    const wait = Math.min(windowMilliseconds, Math.max(full, paused))
    return wait > 0 ? { code: 'EXHAUSTED', retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) } : null
  }

  return {
    /** Wipes a key's attempts. */
    forget: (customerId: CustomerId, key: string) =>
      withTenant(pool, customerId, (db) => forgetAttempts(db, customerId, keyOf(key))),
    /** Whether a ticket could be taken, without taking it; null where it could. */
    look: (customerId: CustomerId, key: string): Promise<Exhausted | null> =>
      withTenant(pool, customerId, (db) => waitOf(db, customerId, key, clock.now().getTime())),
    take: (customerId: CustomerId, key: string): Promise<SharedTicket> =>
      withTenant(pool, customerId, async (db) => {
        const now = clock.now().getTime()
        const whose = keyOf(key)
        const window = { now, since: now - windowMilliseconds, most: attempts, pauseAfter, pause: pauseMilliseconds }
        const count = await takeAttempt(db, customerId, whose, window)
        if (count !== null) {
          const giveBack = () => withTenant(pool, customerId, (later) => giveBackAttempt(later, customerId, whose, now))
          return { code: 'TAKEN', count, giveBack }
        }
        return (await waitOf(db, customerId, key, now)) ?? { code: 'EXHAUSTED', retryAfterSeconds: 1 }
      }),
  }
}
export type SharedLimit = ReturnType<typeof createSharedLimit>
