import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'
import type { Clock } from './context.ts'
import { forgetAttempts, giveBackAttempt, oldestAttempt, takeAttempt } from './db/queries/attempts.ts'
import { withTenant } from './db/with-tenant.ts'
import type { Limit } from './rate-limit.ts'

type SharedTicket = { code: 'TAKEN'; giveBack: () => Promise<void> } | { code: 'EXHAUSTED'; retryAfterSeconds: number }

/**
 * Counts a tenant's attempts by key in a sliding window, in the database: however many processes serve the store, somebody who guesses
 * has the tries of one. A ticket is taken before the attempt, and given back when the attempt turned out harmless.
 */
export const createSharedLimit = (
  { clock, pool }: { clock: Clock; pool: pg.Pool },
  name: string,
  { attempts, windowSeconds }: Limit,
) => {
  const keyOf = (key: string) => ({ name, keyHash: createHash('sha256').update(key).digest('base64url') })
  return {
    /** Wipes a key's attempts. */
    forget: (customerId: CustomerId, key: string) =>
      withTenant(pool, customerId, (db) => forgetAttempts(db, customerId, keyOf(key))),
    take: (customerId: CustomerId, key: string): Promise<SharedTicket> =>
      withTenant(pool, customerId, async (db) => {
        const now = clock.now().getTime()
        const since = now - windowSeconds * 1000
        const whose = keyOf(key)
        if (await takeAttempt(db, customerId, whose, { now, since, most: attempts })) {
          const giveBack = () => withTenant(pool, customerId, (later) => giveBackAttempt(later, customerId, whose, now))
          return { code: 'TAKEN', giveBack }
        }
        const oldest = (await oldestAttempt(db, customerId, whose, since)) ?? now
        return { code: 'EXHAUSTED', retryAfterSeconds: Math.max(1, Math.ceil((oldest - since) / 1000)) }
      }),
  }
}
export type SharedLimit = ReturnType<typeof createSharedLimit>
