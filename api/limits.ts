import type pg from 'pg'
import type { Clock } from './context.ts'
import { createRateLimit } from './rate-limit.ts'
import { createSharedLimit, type SharedLimitOptions } from './shared-limit.ts'

const minute = 60
const hour = 60 * minute

/** How often what may be done: far more than a person does, and few enough that a script gets nowhere and fills no table. */
export const createLimits = (clock: Clock, pool: pg.Pool) => {
  const limit = (attempts: number, windowSeconds: number) => createRateLimit(clock, { attempts, windowSeconds })
  // What a person could be robbed or pestered by is counted for all processes, by account and by address; see decision 22.
  const shared = (name: string, attempts: number, windowSeconds: number, pause?: SharedLimitOptions['pause']) =>
    createSharedLimit({ clock, pool }, name, { attempts, windowSeconds, ...(pause && { pause }) })
  return {
    /** Wrong passwords of unknown sources; `api/http/sign-in.ts` says how they stand together. */
    loginFrom: shared('login from', 10, 15 * minute, { after: 5, seconds: 5 }),
    loginByAccount: shared('login', 20, 15 * minute),
    loginByNetwork: shared('accounts from', 50, 15 * minute),
    /** Wrong passwords of one known device, after which it is an unknown one. */
    loginByDevice: shared('login on', 20, hour),
    /** The password again, of one session of a member. */
    passwords: shared('password', 10, 15 * minute),
    /** Mails to people who have not asked for any: joins, resets and links to sign in. Those to one person count once for a while. */
    mailsByAddress: shared('mails from', 60, hour),
    mailsToOne: shared('mail from', 1, 10 * minute),
    signInLinks: shared('sign-in link', 1, 10 * minute),
    joinsFrom: shared('join from', 5, hour),
    joinsByEmail: shared('join', 30, hour),
    resendsByJoin: shared('resend', 5, hour),
    addresses: limit(120, minute),
    comments: limit(30, 10 * minute),
    views: limit(600, minute),
    /** Pictures made in another size, by network. Beyond that visitors see pictures as they are stored. */
    variants: limit(300, minute),
    /** A player tells where it stands every ten seconds, and whenever it stops. Guests count by their network too, which may be a school's. */
    reports: limit(120, minute),
    reportsByNetwork: limit(1200, minute),
    /** Questions and replies, and the files that go with them: what is stored for good. */
    inquiries: limit(30, 10 * minute),
    inquiryFiles: limit(60, hour),
    /** Registrations of cards, and tries to charge one: whoever tries stolen numbers needs many. */
    cards: shared('card', 60, hour),
    orderDrafts: limit(60, 10 * minute),
    /** Calls of one operators' program. */
    operators: limit(1200, minute),
  }
}
export type Limits = ReturnType<typeof createLimits>
