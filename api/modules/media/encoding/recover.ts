import { deleteVideo, type StaleVideo, sourceUsage, staleVideos } from '#api/modules/media/disk-space.ts'
import { expireUploads } from '#api/modules/media/uploads.ts'
import { isFinished } from '#api/modules/media/video-job-states.ts'
import { findVideoJob, markCleaned } from '#api/modules/media/video-jobs.queries.ts'
import { failLostAttempt, jobsToCleanUp, recoverJobs } from '#api/modules/media/video-jobs.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import {
  assetsOf,
  type EncodingDeps,
  isOwnerDead,
  listWorkFolders,
  removeAssets,
  removeWorkFolder,
} from './work-folders.ts'

/**
 * Removes the work folders of killed processes of this machine and requeues their jobs.
 *
 * @returns the tenants that have jobs to run.
 */
export const requeueAbandonedJobs = async (deps: EncodingDeps): Promise<Set<Customer['id']>> => {
  const customersWithJobs = new Set<Customer['id']>()
  for (const { videoId, owner } of await listWorkFolders(deps.dataFolder)) {
    const customer = owner && (await readCustomer(deps.pool, owner.customerId))
    if (owner && customer) {
      const ctxOf = (db: TenantDb) => ({ db, customer, clock: deps.clock })
      const job = await withTenant(deps.pool, customer.id, (db) => findVideoJob(db, customer.id, owner.id))
      const running = job?.status === 'RUNNING' && job.attempts === owner.attempts && job.videoId === owner.videoId
      if (running && !isOwnerDead(owner)) continue
      if (running) await withTenant(deps.pool, customer.id, (db) => failLostAttempt(ctxOf(db), owner))
      // The job has a later attempt or none, so nothing else would remove the files of this
      // attempt.
      else if (!(await withTenant(deps.pool, customer.id, (db) => isFinished(ctxOf(db), owner))))
        await removeAssets(deps, owner.videoId)
      customersWithJobs.add(customer.id)
    }
    await removeWorkFolder(deps.dataFolder, { videoId })
  }
  return customersWithJobs
}

/**
 * Runs every minute: requeues jobs of silent workers, announces due jobs, and removes files of
 * ended jobs.
 */
export const cleanUpVideos = async (deps: EncodingDeps, customer: Customer) => {
  const inTransaction = <Answer>(work: (ctx: Parameters<typeof recoverJobs>[0]) => Promise<Answer>) =>
    withTenant(deps.pool, customer.id, (db) => work({ db, customer, clock: deps.clock }))
  await inTransaction(recoverJobs)
  for (const job of await inTransaction(jobsToCleanUp)) {
    await removeAssets(deps, job.videoId)
    await inTransaction(({ db }) => markCleaned(db, customer.id, job))
  }
}

/** Milliseconds. Younger sources without a job may belong to a request in progress. */
const sourcesYoungMilliseconds = 3_600_000

/**
 * Runs every hour: removes replaced streams and their pictures, unused sources, and expired
 * uploads. A failed removal does not stop the others; it throws at the end, so that the task is
 * retried.
 */
export const removeOldVideoFiles = async (deps: EncodingDeps, customer: Customer) => {
  const { storage, sources, dataFolder } = deps
  const log = deps.log.child({ customer: customer.code })
  const inTransaction = <Answer>(work: (ctx: Parameters<typeof staleVideos>[0]) => Promise<Answer>) =>
    withTenant(deps.pool, customer.id, (db) => work({ db, customer, clock: deps.clock }))
  const failures: unknown[] = []
  const runIsolated = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      failures.push(error)
      log.warn({ err: error, what }, 'Files of a removed video could not be deleted')
    }
  }

  const removeFiles = async ({ id, ownFiles, pictureUsed }: StaleVideo) => {
    const { asset, preview, posters, posterVariants } = assetsOf(id)
    for (const prefix of ownFiles ? [asset, preview, ...(pictureUsed ? [] : [posters, posterVariants])] : [])
      await storage.remove(prefix)
  }
  for (const video of await inTransaction(staleVideos))
    await runIsolated(video.id, () => inTransaction((ctx) => deleteVideo(ctx, video, () => removeFiles(video))))

  const { folders, unknownNames } = await sources.list(customer.id)
  if (unknownNames.length > 0)
    log.warn({ unknownNames }, 'The folder of video sources contains unknown files, which are not deleted')
  for (const { prefix, createdAt } of folders)
    await runIsolated(prefix, async () => {
      const use = await inTransaction((ctx) => sourceUsage(ctx, prefix))
      const orphaned = use === 'UNKNOWN' && Date.now() - createdAt.getTime() > sourcesYoungMilliseconds
      if (use === 'DONE' || orphaned) await sources.remove(`${prefix}file`)
    })
  await runIsolated('uploads', () => expireUploads(dataFolder, customer.id))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} removed videos or sources could not be deleted`)
}
