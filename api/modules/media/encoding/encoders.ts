import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { deleteVideo, sourceUsage, staleVideos } from '#api/modules/media/disk-space.ts'
import { expireUploads } from '#api/modules/media/uploads.ts'
import { isFinished } from '#api/modules/media/video-job-states.ts'
import {
  claimDueJob,
  findVideoJob,
  isAnyoneListening,
  markCleaned,
  videoChannel,
  videoListener,
} from '#api/modules/media/video-jobs.queries.ts'
import { failLostAttempt, jobsToCleanUp, recoverJobs } from '#api/modules/media/video-jobs.ts'
import { tryLockEncoderSlot, unlockEncoderSlot } from '#api/modules/media/videos.queries.ts'
import {
  type EncodingDeps,
  isCuttingPreview,
  isOwnerDead,
  listWorkFolders,
  removeAssets,
  removeStaleFiles,
  removeWorkFolder,
} from '#api/modules/media/work-folders.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import type { Customer } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { createLockConnection, listen } from '#api/platform/db/connections.ts'
import { type CustomerId, customerId, type VideoJobId } from '#contract/ids.ts'
import { makeStream } from './make-stream.ts'

/** Permission to make one video on this machine. Disposing releases it. */
type Slot = AsyncDisposable

interface EncoderSlots extends AsyncDisposable {
  /** Null while the workers of this machine already make the maximum number of videos. */
  acquire(): Promise<Slot | null>
}

/**
 * Limits how many videos all workers of one machine make at the same time (`deps.video.encoders`).
 * Slots are advisory locks of one database connection, so a killed worker releases its slots. A
 * machine is identified by its name and data folder. If the connection breaks, running encodings
 * continue.
 */
const openEncoderSlots = ({
  jobsDatabaseUrl,
  video,
  dataFolder,
  log,
}: Pick<EncodingDeps, 'jobsDatabaseUrl' | 'video' | 'dataFolder' | 'log'>): EncoderSlots => {
  const machine = `${hostname()}:${resolve(dataFolder)}`
  const ownSlots = new Set<number>()
  const connection = createLockConnection({
    url: jobsDatabaseUrl,
    name: 'marquee-encoders',
    onLost: (error) => log.warn({ err: error }, 'The encoder slots were lost'),
  })
  let busy: Promise<unknown> = Promise.resolve()

  const keyOf = (place: number) => `${machine}:${place}`
  const serialize = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const answer = busy.then(work)
    busy = answer.catch(() => undefined)
    return answer
  }

  const acquireSlot = async (): Promise<Slot | null> => {
    for (let place = 1; place <= video.encoders; place++) {
      // The same connection would acquire its own lock a second time.
      if (ownSlots.has(place) || !(await tryLockEncoderSlot(connection, keyOf(place)))) continue
      ownSlots.add(place)
      return {
        [Symbol.asyncDispose]: () =>
          serialize(async () => {
            ownSlots.delete(place)
            if (connection.isOpen()) await unlockEncoderSlot(connection, keyOf(place)).catch(() => undefined)
          }),
      }
    }
    return null
  }
  return {
    acquire: () => serialize(acquireSlot),
    [Symbol.asyncDispose]: async () => {
      await busy
      await connection.close()
    },
  }
}

/** How soon a worker checks again after all slots of its machine were taken. */
const retryMilliseconds = 2_000

export interface Encoders extends AsyncDisposable {
  /** Checks whether a tenant has jobs that are due. */
  enqueue(id: CustomerId): void
}

/**
 * Runs due jobs while slots are free, one tenant after the other, at most `deps.video.encoders` at
 * the same time on this machine. With `only`, runs those jobs alone. Disposing releases running
 * jobs.
 */
export const openEncoders = (deps: EncodingDeps, only: readonly VideoJobId[] | null = null): Encoders => {
  const waiting = new Set<CustomerId>()
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  const slots = openEncoderSlots(deps)
  let retryTimer: NodeJS.Timeout | undefined
  let starting: Promise<void> | null = null

  /** Starts one job of a tenant. Returns false when no job is due. */
  const begin = async (id: CustomerId, slot: Slot): Promise<boolean> => {
    const customer = await readCustomer(deps.pool, id)
    const job = customer && (await withTenant(deps.pool, id, (db) => claimDueJob(db, id, only)))
    if (!customer || !job) return false
    const work = makeStream(deps, customer, job, stop.signal)
      .catch((error: unknown) => deps.log.error({ err: error, job: job.id }, 'A video job stopped unexpectedly'))
      .then(() => slot[Symbol.asyncDispose]())
      .finally(() => {
        running.delete(work)
        enqueue(id)
      })
    running.add(work)
    return true
  }
  const hasFreeSlot = () => !stop.signal.aborted && running.size < deps.video.encoders
  /**
   * Starts jobs of waiting tenants while slots are free. Returns false when other workers hold all
   * slots.
   */
  const startDueJobs = async (): Promise<boolean> => {
    for (const id of waiting) {
      if (!hasFreeSlot()) return true
      const slot = await slots.acquire()
      if (!slot) {
        // The other workers also take waiting jobs, but they may stop at any time.
        retryTimer ??= setTimeout(() => {
          retryTimer = undefined
          enqueue(id)
        }, retryMilliseconds)
        return false
      }
      waiting.delete(id)
      // The tenant moves to the end of the queue, so that many files of one tenant do not delay the
      // others.
      const begun = await begin(id, slot).catch(async (error: unknown) => {
        await slot[Symbol.asyncDispose]()
        throw error
      })
      if (begun) waiting.add(id)
      else await slot[Symbol.asyncDispose]()
    }
    return true
  }
  const enqueue = (id: CustomerId) => {
    waiting.add(id)
    starting ??= startDueJobs()
      .catch((error: unknown) => {
        deps.log.error({ err: error }, 'New video jobs could not be started; the next scheduled run starts them')
        return false
      })
      .then((programs) => {
        // Reset synchronously: a caller in between would otherwise join a check that has already
        // finished.
        starting = null
        // A tenant was added while the last check finished.
        const [tenant] = waiting
        if (programs && tenant !== undefined && hasFreeSlot()) enqueue(tenant)
      })
  }
  return {
    enqueue,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('The worker stops'))
      clearTimeout(retryTimer)
      await starting
      await Promise.all(running)
      clearTimeout(retryTimer)
      await slots[Symbol.asyncDispose]()
    },
  }
}

/**
 * Removes the work folders of killed processes of this machine and requeues their jobs.
 *
 * @returns the tenants that have jobs to run.
 */
const requeueAbandonedJobs = async (deps: EncodingDeps): Promise<Set<Customer['id']>> => {
  const customersWithJobs = new Set<Customer['id']>()
  for (const { videoId, owner } of await listWorkFolders(deps.dataFolder)) {
    const customer = owner && (await readCustomer(deps.pool, owner.customerId))
    if (owner && customer) {
      const ctxOf = (db: TenantDb) => ({ db, customer, clock: deps.clock })
      const job = await withTenant(deps.pool, customer.id, (db) => findVideoJob(db, customer.id, owner.id))
      if (!job && isCuttingPreview(owner)) continue
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

/** Whether a worker of this installation makes videos: embedded in the server or external. */
export const areEncodersRunning = ({ pool }: Pick<EncodingDeps, 'pool'>): Promise<boolean> => isAnyoneListening(pool)

/**
 * Starts the encoders of a worker. They are notified of new jobs and first resume abandoned ones.
 */
export const startEncoders = async (deps: EncodingDeps): Promise<AsyncDisposable> => {
  const encoders = openEncoders(deps)
  // No job starts before recovery: folders of this process would look abandoned.
  const recovered = requeueAbandonedJobs(deps)
  const listener = listen(deps, { channel: videoChannel, name: videoListener }, (id) => {
    recovered.then(
      () => {
        const tenant = customerId.safeParse(id)
        if (tenant.success) encoders.enqueue(tenant.data)
      },
      () => undefined,
    )
  })
  const [recoveredCustomers] = await Promise.all([recovered, listener.ready])
  for (const id of recoveredCustomers) encoders.enqueue(id)
  return {
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]()
      await encoders[Symbol.asyncDispose]()
    },
  }
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
  const { sources, dataFolder } = deps
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

  for (const video of await inTransaction(staleVideos))
    await runIsolated(video.id, () =>
      inTransaction((ctx) => deleteVideo(ctx, video, () => removeStaleFiles(deps, video))),
    )

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
