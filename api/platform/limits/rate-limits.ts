import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { type Clock, type Failure, failure } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { countAttempts, deleteAttempt, deleteAttempts, insertAttempt } from '#api/platform/platform.queries.ts'
import type { CustomerId } from '#contract/ids.ts'

export interface Limit {
  /** Attempts allowed within the window. */
  attempts: number
  windowSeconds: number
}

export type RateLimitResult =
  | { code: 'ALLOWED'; release: () => void }
  | { code: 'EXHAUSTED'; retryAfterSeconds: number }

/**
 * Counts attempts by key in a sliding window, in this process. `consume` counts before the attempt,
 * so that parallel attempts cannot exceed the limit. `release` reverts it where the attempt was
 * harmless.
 */
const createRateLimit = (clock: Clock, { attempts, windowSeconds }: Limit) => {
  // With `max`, the cache would allocate room for all keys at once.
  const attemptTimes = new LRUCache<string, number[]>({ maxSize: 100_000, sizeCalculation: () => 1 })
  return {
    /** Deletes the attempts of a key. */
    reset: (key: string) => void attemptTimes.delete(key),
    consume: (key: string): RateLimitResult => {
      const now = clock.now().getTime()
      // Attempts after now were counted before the clock was set back.
      const live = (attemptTimes.get(key) ?? []).filter((at) => at > now - windowSeconds * 1000 && at <= now)
      const oldest = live[0]
      if (oldest !== undefined && live.length >= attempts)
        return {
          code: 'EXHAUSTED',
          retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowSeconds * 1000 - now) / 1000)),
        }
      live.push(now)
      attemptTimes.set(key, live)
      return {
        code: 'ALLOWED',
        release: () => {
          const times = attemptTimes.get(key) ?? []
          const index = times.indexOf(now)
          if (index >= 0) attemptTimes.set(key, times.toSpliced(index, 1))
        },
      }
    },
  }
}
export type RateLimit = ReturnType<typeof createRateLimit>

export interface SharedLimitOptions extends Limit {
  /** From `after` attempts on, each must wait: first `seconds`, then twice as long each time. */
  pause?: { after: number; seconds: number }
}

type Exhausted = { code: 'EXHAUSTED'; retryAfterSeconds: number }
/** `count` includes this attempt. */
export type SharedRateLimitResult = { code: 'ALLOWED'; count: number; release: () => Promise<void> } | Exhausted

/**
 * Counts a tenant's attempts by key in a sliding window, in the database, so that the limit holds
 * across all processes. `consume` counts before the attempt. `release` reverts it where the attempt
 * was harmless.
 */
const createSharedLimit = (
  { clock, pool }: { clock: Clock; pool: pg.Pool },
  name: string,
  { attempts, windowSeconds, pause }: SharedLimitOptions,
) => {
  const windowMilliseconds = windowSeconds * 1000
  const [pauseAfter, pauseMilliseconds] = pause ? [pause.after, pause.seconds * 1000] : [attempts, 0]
  const keyOf = (key: string) => ({ name, keyHash: createHash('sha256').update(key).digest('base64url') })

  /** Returns in how many seconds the next attempt is allowed; null if it is allowed now. */
  const remainingWait = async (
    db: TenantDb,
    customerId: CustomerId,
    key: string,
    now: number,
  ): Promise<Exhausted | null> => {
    const since = now - windowMilliseconds
    const { count, oldest, latest } = await countAttempts(db, customerId, keyOf(key), since)
    const full = count >= attempts ? oldest - since : 0
    const paused = count >= pauseAfter ? latest + pauseMilliseconds * 2 ** (count - pauseAfter) - now : 0
    const wait = Math.min(windowMilliseconds, Math.max(full, paused))
    return wait > 0 ? { code: 'EXHAUSTED', retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) } : null
  }

  return {
    /** Deletes the attempts of a key. */
    reset: (customerId: CustomerId, key: string) =>
      withTenant(pool, customerId, (db) => deleteAttempts(db, customerId, keyOf(key))),
    /** Checks the limit without counting. Returns null if an attempt is allowed. */
    peek: (customerId: CustomerId, key: string): Promise<Exhausted | null> =>
      withTenant(pool, customerId, (db) => remainingWait(db, customerId, key, clock.now().getTime())),
    consume: (customerId: CustomerId, key: string): Promise<SharedRateLimitResult> =>
      withTenant(pool, customerId, async (db) => {
        const now = clock.now().getTime()
        const whose = keyOf(key)
        const window = { now, since: now - windowMilliseconds, max: attempts, pauseAfter, pause: pauseMilliseconds }
        const count = await insertAttempt(db, customerId, whose, window)
        if (count !== null) {
          const release = () => withTenant(pool, customerId, (later) => deleteAttempt(later, customerId, whose, now))
          return { code: 'ALLOWED', count, release }
        }
        return (await remainingWait(db, customerId, key, now)) ?? { code: 'EXHAUSTED', retryAfterSeconds: 1 }
      }),
  }
}
export type SharedLimit = ReturnType<typeof createSharedLimit>

/**
 * Returns the failure of an attempt that a limit refuses, or null. Failure: RATE_LIMITED with
 * `retryAfterSeconds`.
 */
export const exceeded = (result: RateLimitResult | SharedRateLimitResult): Failure | null =>
  result.code === 'EXHAUSTED' ? failure('RATE_LIMITED', { retryAfterSeconds: result.retryAfterSeconds }) : null

export const minuteSeconds = 60
export const hourSeconds = 60 * minuteSeconds

/**
 * Returns the kinds of limits of which each module declares its own, beside their use. Limits are
 * far above what a person needs, and low enough to stop scripts.
 */
export const createLimitKinds = (clock: Clock, pool: pg.Pool) => ({
  /** Counted in this process. */
  inProcess: (attempts: number, windowSeconds: number) => createRateLimit(clock, { attempts, windowSeconds }),
  /** Counted by all processes together, for what could be stolen or abused. See decision 27. */
  shared: (name: string, attempts: number, windowSeconds: number, pause?: SharedLimitOptions['pause']) =>
    createSharedLimit({ clock, pool }, name, { attempts, windowSeconds, ...(pause && { pause }) }),
})
export type LimitKinds = ReturnType<typeof createLimitKinds>

/**
 * Returns the network of an address for rate limits. An IPv6 client can choose from 2⁶⁴ addresses
 * of its network, so the /64 network counts. An IPv4 address counts by itself.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address
  const [plain = ''] = address.toLowerCase().split('%', 1)
  const [front = '', back] = plain.split('::')
  const groups = front.split(':').filter(Boolean)
  const endGroups = (back ?? '').split(':').filter(Boolean)
  const zeros = back === undefined ? 0 : Math.max(0, 8 - groups.length - endGroups.length)
  const allGroups = [...groups, ...Array<string>(zeros).fill('0'), ...endGroups]
  const network = allGroups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}
