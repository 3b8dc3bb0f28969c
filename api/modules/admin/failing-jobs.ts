import type pg from 'pg'
import { readMailErrorGroups } from '#api/modules/mail/mail.queries.ts'
import { readTenants } from '#api/modules/tenancy/tenancy.queries.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { type FailingJob, readFailingJobs } from './admin.queries.ts'

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
