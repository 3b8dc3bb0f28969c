import type { Ctx } from '#api/platform/context.ts'
import {
  deleteEndedSessions,
  deleteGuestCarts,
  deleteGuestHistory,
  deleteOldJoins,
  deleteOldLeaks,
  deleteOldMails,
  deleteOldPlays,
  deleteOldResets,
  deletePastAttempts,
  deletePastNetworks,
  deletePastTrials,
} from './retention.queries.ts'

const day = 86_400_000
/** How long it can be looked up that a mail was written. */
const mailDays = 90
/** As long as records of payment are kept. */
const trialDays = 5 * 365 + 1
/** A device counts for so long after it has played. */
const playDays = 30
/** A network is a member's own for so long after they signed in from it. */
const networkDays = 365
/** How long it can be looked up who passed an address on. */
const leakDays = 90

/**
 * Deletes what nobody needs any more: sessions, joins and resets that have ended, mails that are done with, old plays and leaks, and
 * guests' carts, views and positions older than the tenant keeps
 * them (`operation.retentionDays`; zero keeps them for ever). At most `most` rows of each sort; answers whether there may be more.
 */
export const purge = async (ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>, most: number): Promise<boolean> => {
  const { db, customer } = ctx
  const now = ctx.clock.now()
  const { retentionDays } = customer.settings.operation
  const ago = (days: number) => new Date(now.getTime() - days * day)
  const gone = [
    await deleteEndedSessions(db, customer.id, now, most),
    await deleteOldPlays(db, customer.id, ago(playDays), most),
    await deleteOldLeaks(db, customer.id, ago(leakDays), most),
    await deleteOldJoins(db, customer.id, ago(1), most),
    await deleteOldResets(db, customer.id, ago(1), most),
    await deleteOldMails(db, customer.id, { lastMails: ago(1), others: ago(mailDays) }, most),
    await deletePastAttempts(db, customer.id, now, most),
    await deletePastNetworks(db, customer.id, ago(networkDays), most),
    await deletePastTrials(db, customer.id, ago(trialDays), most),
  ]
  if (retentionDays > 0) {
    const kept = ago(retentionDays)
    gone.push(
      await deleteGuestCarts(db, customer.id, kept, most),
      await deleteGuestHistory(db, customer.id, 'viewed_products', kept, most),
      await deleteGuestHistory(db, customer.id, 'positions', kept, most),
    )
  }
  return gone.some((rows) => rows >= most)
}
