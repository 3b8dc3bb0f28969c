import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { importDays } from '#contract/admin/imports.ts'
import {
  deleteEndedSessions,
  deleteGuestCarts,
  deleteGuestHistory,
  deleteOldImports,
  deleteOldJoins,
  deleteOldLeaks,
  deleteOldMails,
  deleteOldPlays,
  deleteOldResets,
  deleteOldSearches,
  deletePastAttempts,
  deletePastNetworks,
  deletePastTrials,
} from './personal-data.queries.ts'

/** How long mails remain visible to operators. */
const mailDays = 90
/** The retention period of payment records. */
const trialDays = 5 * 365 + 1
/** How long a device counts after it has played. */
const playDays = 30
/** How long a network is known after a sign-in from it. */
const networkDays = 365
/** How long foreign requests remain visible to operators. */
const leakDays = 90
/** How long searches without a result are counted: two years, to compare one with the other. */
const searchDays = 731

/**
 * Deletes expired data: ended sessions, joins and resets, completed mails, old plays, searches,
 * imports and foreign requests, and guests' carts, views and positions older than
 * `operation.retentionDays` (zero retains them). Deletes at most `max` rows of each kind.
 *
 * @returns whether more rows may be due.
 */
export const purge = async (ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>, max: number): Promise<boolean> => {
  const { db, customer } = ctx
  const now = ctx.clock.now()
  const { retentionDays } = customer.settings.operation
  const ago = (days: number) => new Date(now.getTime() - days * dayMilliseconds)
  const deletedCounts = [
    await deleteEndedSessions(db, customer.id, now, max),
    await deleteOldPlays(db, customer.id, ago(playDays), max),
    await deleteOldLeaks(db, customer.id, ago(leakDays), max),
    await deleteOldJoins(db, customer.id, ago(1), max),
    await deleteOldResets(db, customer.id, ago(1), max),
    await deleteOldMails(db, customer.id, { lastMails: ago(1), others: ago(mailDays) }, max),
    await deleteOldImports(db, customer.id, ago(importDays), max),
    await deleteOldSearches(db, customer.id, ago(searchDays), max),
    await deletePastAttempts(db, customer.id, now, max),
    await deletePastNetworks(db, customer.id, ago(networkDays), max),
    await deletePastTrials(db, customer.id, ago(trialDays), max),
  ]
  if (retentionDays > 0) {
    const usedBefore = ago(retentionDays)
    deletedCounts.push(
      await deleteGuestCarts(db, customer.id, usedBefore, max),
      await deleteGuestHistory(db, customer.id, 'viewed_products', usedBefore, max),
      await deleteGuestHistory(db, customer.id, 'positions', usedBefore, max),
    )
  }
  return deletedCounts.some((rows) => rows >= max)
}
