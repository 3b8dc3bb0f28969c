import type { Customer } from '#api/context.ts'
import type { TenantDb } from '#api/db/client.ts'
import { readCustomer } from '#api/db/queries/customers.ts'
import { findVideoJob, markCleaned } from '#api/db/queries/video-jobs.ts'
import { withTenant } from '#api/db/with-tenant.ts'
import type { Deps } from '#api/deps.ts'
import { isFinished } from '#api/domain/videos/is-finished.ts'
import { loseAttempt, tendJobs, uncleanJobs } from '#api/domain/videos/tend-jobs.ts'
import { removeAssets } from './assets.ts'
import { isOwnerGone, listWorkFolders, removeWorkFolder } from './work-folders.ts'

/**
 * Takes away what processes of this machine left that were killed in the middle of a job, and frees their jobs at once. Answers the
 * tenants whose jobs may be begun.
 */
export const recoverKilled = async (deps: Deps): Promise<Set<Customer['id']>> => {
  const awake = new Set<Customer['id']>()
  for (const { videoId, owner } of await listWorkFolders(deps.dataFolder)) {
    const customer = owner && (await readCustomer(deps.pool, owner.customerId))
    if (owner && customer) {
      const ctxOf = (db: TenantDb) => ({ db, customer, clock: deps.clock })
      const job = await withTenant(deps.pool, customer.id, (db) => findVideoJob(db, customer.id, owner.id))
      const running = job?.status === 'RUNNING' && job.attempts === owner.attempts && job.videoId === owner.videoId
      if (running && !isOwnerGone(owner)) continue
      if (running) await withTenant(deps.pool, customer.id, (db) => loseAttempt(ctxOf(db), owner))
      // The job knows of a later attempt by now, or of none: nobody else will look after what this one had stored.
      else if (!(await withTenant(deps.pool, customer.id, (db) => isFinished(ctxOf(db), owner))))
        await removeAssets(deps, owner.videoId)
      awake.add(customer.id)
    }
    await removeWorkFolder(deps.dataFolder, { videoId })
  }
  return awake
}

/** The minute's part: jobs of silent workers are freed, due ones announced, and what ended jobs have left is taken away. */
export const tendVideos = async (deps: Deps, customer: Customer) => {
  const inTransaction = <Answer>(work: (ctx: Parameters<typeof tendJobs>[0]) => Promise<Answer>) =>
    withTenant(deps.pool, customer.id, (db) => work({ db, customer, clock: deps.clock }))
  await inTransaction(tendJobs)
  for (const job of await inTransaction(uncleanJobs)) {
    await removeAssets(deps, job.videoId)
    await inTransaction(({ db }) => markCleaned(db, customer.id, job))
  }
}
