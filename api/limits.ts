import type pg from 'pg'
import type { Clock } from './context.ts'
import { createRateLimit } from './rate-limit.ts'
import { createSharedLimit } from './shared-limit.ts'

const minute = 60
const hour = 60 * minute

/** How often what may be done: far more than a person does, and few enough that a script gets nowhere and fills no table. */
export const createLimits = (clock: Clock, pool: pg.Pool) => {
  const limit = (attempts: number, windowSeconds: number) => createRateLimit(clock, { attempts, windowSeconds })
  // What a person could be robbed or pestered by is counted for all processes, by account and by address; see decision 22.
  const shared = (name: string, attempts: number, windowSeconds: number) =>
    createSharedLimit({ clock, pool }, name, { attempts, windowSeconds })
  return {
    loginByAccount: shared('login', 10, 15 * minute),
    loginByAddress: shared('login from', 50, 15 * minute),
    /** The password again, of a member who is signed in. */
    passwords: shared('password', 10, 15 * minute),
    /** Mails to people who have not asked for any: joins and resets. */
    mailsByAddress: shared('mails from', 60, hour),
    joinsByEmail: shared('join', 5, hour),
    resendsByJoin: shared('resend', 10, hour),
    resetsByEmail: shared('reset', 5, hour),
    addresses: limit(120, minute),
    comments: limit(30, 10 * minute),
    views: limit(600, minute),
    /** A player tells where it stands every ten seconds, and whenever it stops. Guests count by their network too, which may be a school's. */
    reports: limit(120, minute),
    reportsByNetwork: limit(1200, minute),
    /** Questions and replies, and the files that go with them: what is stored for good. */
    inquiries: limit(30, 10 * minute),
    inquiryFiles: limit(60, hour),
    /** Registrations of cards, and tries to charge one: whoever tries stolen numbers needs many. */
    cards: limit(60, hour),
    orderDrafts: limit(60, 10 * minute),
    /** Calls of one operators' program. */
    operators: limit(1200, minute),
  }
}
export type Limits = ReturnType<typeof createLimits>
