import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { claimDueJob, isAnyoneListening, videoChannel, videoListener } from '#api/modules/media/video-jobs.queries.ts'
import { tryLockEncoderSlot, unlockEncoderSlot } from '#api/modules/media/videos.queries.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { createLockConnection, listen } from '#api/platform/db/connections.ts'
import { type CustomerId, customerId, type VideoJobId } from '#contract/ids.ts'
import { makeStream } from './make-stream.ts'
import { requeueAbandonedJobs } from './recover.ts'
import type { EncodingDeps } from './work-folders.ts'

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
