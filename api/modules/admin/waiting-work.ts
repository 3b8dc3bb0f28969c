import type pg from 'pg'
import { commentsToReview } from '#api/modules/engagement/comments.ts'
import { readMailErrorGroups } from '#api/modules/mail/mail.queries.ts'
import { readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import { dayAt, dayMilliseconds, startOfDay } from '#api/platform/clock.ts'
import type { Ctx } from '#api/platform/context.ts'
import { withTenant } from '#api/platform/db/client.ts'
import type { Home } from '#contract/admin/home.ts'
import { type FailingJob, readFailingJobs } from './admin.queries.ts'
import { countWaiting, readFigures } from './admin-lists.queries.ts'

/**
 * Returns the background jobs of all stores that failed or wait for a retry, latest first, and then
 * the mails of each store, a row per reason.
 */
export const listFailingJobs = async (pool: pg.Pool): Promise<FailingJob[]> => {
  const failing = await readFailingJobs(pool)
  for (const { id, code } of await readTenants(pool))
    for (const trouble of await withTenant(pool, id, (db) => readMailErrorGroups(db, id)))
      failing.push({
        customer: code,
        task: 'mails',
        state: trouble.status === 'FAILED' ? 'failed' : 'retry',
        tries: trouble.attempts,
        since: trouble.since,
        failure: `${trouble.mails} × ${trouble.failure}`,
      })
  return failing
}

/**
 * Returns today's figures up to now, those of the same part of the day a week ago, and what waits
 * for a person. Days are in the store's time zone.
 */
export const getHome = async (ctx: Ctx): Promise<Home> => {
  const { db, customer, clock } = ctx
  const { timeZone, currency } = customer.settings.base
  const now = clock.now()
  const day = dayAt(now, timeZone)
  const sinceMidnight = now.getTime() - startOfDay(day, timeZone).getTime()
  const figuresOf = async (until: Date) => {
    const since = new Date(until.getTime() - sinceMidnight)
    const { orders, amount, members } = await readFigures(db, customer.id, currency, { since, until })
    return { orders, revenue: { amount, currency }, members }
  }
  const { held, reported } = await commentsToReview(ctx)
  return {
    day,
    today: await figuresOf(now),
    weekAgo: await figuresOf(new Date(now.getTime() - 7 * dayMilliseconds)),
    waiting: { ...(await countWaiting(db, customer.id)), heldComments: held, reportedComments: reported },
  }
}
