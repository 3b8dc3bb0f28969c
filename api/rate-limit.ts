import { LRUCache } from 'lru-cache'
import type { Clock } from './context.ts'

export interface Limit {
  /** Attempts allowed within the window. */
  attempts: number
  windowSeconds: number
}

export type Ticket = { code: 'TAKEN'; giveBack: () => void } | { code: 'EXHAUSTED'; retryAfterSeconds: number }

/**
 * Counts attempts by key in a sliding window, in this process. A ticket is taken before the attempt, so that parallel tries cannot
 * slip through, and given back when the attempt turned out harmless.
 */
export const createRateLimit = (clock: Clock, { attempts, windowSeconds }: Limit) => {
  const taken = new LRUCache<string, number[]>({ max: 100_000 })
  return {
    /** Wipes a key's attempts. */
    forget: (key: string) => void taken.delete(key),
    take: (key: string): Ticket => {
      const now = clock.now().getTime()
      const live = (taken.get(key) ?? []).filter((at) => at > now - windowSeconds * 1000)
      const oldest = live[0]
      if (oldest !== undefined && live.length >= attempts)
        return {
          code: 'EXHAUSTED',
          retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowSeconds * 1000 - now) / 1000)),
        }
      live.push(now)
      taken.set(key, live)
      return {
        code: 'TAKEN',
        giveBack: () => {
          const kept = taken.get(key) ?? []
          const one = kept.indexOf(now)
          if (one >= 0) taken.set(key, kept.toSpliced(one, 1))
        },
      }
    },
  }
}
export type RateLimit = ReturnType<typeof createRateLimit>
