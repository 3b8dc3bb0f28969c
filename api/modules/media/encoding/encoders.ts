import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { tryLockEncoderSlot, unlockEncoderSlot } from '#api/modules/media/locks.queries.ts'
import { takeDueJob, videoChannel, videoListener } from '#api/modules/media/video-jobs.queries.ts'
import { readCustomer } from '#api/modules/tenancy/tenancy.queries.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { createLockConnection, listen } from '#api/platform/db/connections.ts'
import { type CustomerId, customerId, type VideoJobId } from '#contract/ids.ts'
import { makeStream } from './make-stream.ts'
import { requeueAbandonedJobs } from './recover.ts'
import type { EncodingDeps } from './work-folders.ts'

/** Leave to make one video on this machine; given back when disposed. */
export type Slot = AsyncDisposable

export interface EncoderSlots extends AsyncDisposable {
  /** Null while all the workers of the machine together make as many videos as they may. */
  take(): Promise<Slot | null>
}

/**
 * However many workers an installation has on a machine, together they make as many videos at the same time as one is allowed to
 * (`deps.video.encoders`): the database keeps the places as locks of one connection, so that a worker that is killed leaves none taken.
 * A machine is known by its name and the data folder. Should the connection break, what is under way goes on.
 */
export const openEncoderSlots = ({
  pool,
  video,
  dataFolder,
  log,
}: Pick<EncodingDeps, 'pool' | 'video' | 'dataFolder' | 'log'>): EncoderSlots => {
  const machine = `${hostname()}:${resolve(dataFolder)}`
  const mine = new Set<number>()
  const connection = createLockConnection({
    pool,
    name: 'marquee-encoders',
    onLost: (error) => log.warn({ err: error }, 'The places of the encoders were lost'),
  })
  let busy: Promise<unknown> = Promise.resolve()

  const keyOf = (place: number) => `${machine}:${place}`
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const answer = busy.then(work)
    busy = answer.catch(() => undefined)
    return answer
  }

  const takePlace = async (): Promise<Slot | null> => {
    for (let place = 1; place <= video.encoders; place++) {
      // The same connection would get its own lock a second time.
      if (mine.has(place) || !(await tryLockEncoderSlot(connection, keyOf(place)))) continue
      mine.add(place)
      return {
        [Symbol.asyncDispose]: () =>
          inTurn(async () => {
            mine.delete(place)
            if (connection.isOpen()) await unlockEncoderSlot(connection, keyOf(place)).catch(() => undefined)
          }),
      }
    }
    return null
  }
  return {
    take: () => inTurn(takePlace),
    [Symbol.asyncDispose]: async () => {
      await busy
      await connection.close()
    },
  }
}

type TenantId = CustomerId

/** How soon a worker looks again that found all places of its machine taken. */
const lookAgainMilliseconds = 2_000

export interface Encoders extends AsyncDisposable {
  /** Looks whether a tenant has jobs that are due. */
  wake(id: TenantId): void
}

/**
 * Takes jobs as long as there is room, one tenant after the other, and makes their streams: `deps.video.encoders` at the same time on
 * this machine.
 * With `only`, those jobs alone. Disposing gives back what is under way.
 */
export const openEncoders = (deps: EncodingDeps, only: readonly VideoJobId[] | null = null): Encoders => {
  const waiting = new Set<TenantId>()
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  const slots = openEncoderSlots(deps)
  let lookAgain: NodeJS.Timeout | undefined
  let taking: Promise<void> | null = null

  /** One job of one tenant; false when it has none that is due. */
  const begin = async (id: TenantId, slot: Slot): Promise<boolean> => {
    const customer = await readCustomer(deps.pool, id)
    const job = customer && (await withTenant(deps.pool, id, (db) => takeDueJob(db, id, only)))
    if (!customer || !job) return false
    const work = makeStream(deps, customer, job, stop.signal)
      .catch((error: unknown) => deps.log.error({ err: error, job: job.id }, 'A video job was left in the middle'))
      .then(() => slot[Symbol.asyncDispose]())
      .finally(() => {
        running.delete(work)
        wake(id)
      })
    running.add(work)
    return true
  }
  const hasRoom = () => !stop.signal.aborted && running.size < deps.video.encoders
  /** Whoever waits is looked after, as far as there is room; false where other workers have all of the machine's. */
  const takeAll = async (): Promise<boolean> => {
    for (const id of waiting) {
      if (!hasRoom()) return true
      const slot = await slots.take()
      if (!slot) {
        // They take what waits as well, but may be told to stop.
        lookAgain ??= setTimeout(() => {
          lookAgain = undefined
          wake(id)
        }, lookAgainMilliseconds)
        return false
      }
      waiting.delete(id)
      // The tenant goes to the end of the row: many files of one do not hold up the others.
      const begun = await begin(id, slot).catch(async (error: unknown) => {
        await slot[Symbol.asyncDispose]()
        throw error
      })
      if (begun) waiting.add(id)
      else await slot[Symbol.asyncDispose]()
    }
    return true
  }
  const wake = (id: TenantId) => {
    waiting.add(id)
    taking ??= takeAll()
      .catch((error: unknown) => {
        deps.log.error({ err: error }, 'Video jobs were left to the sweep')
        return false
      })
      .then((looked) => {
        // In one step: who is woken in between would find the look still on, and its end already judged.
        taking = null
        // Woken while the last look came to its end.
        const [tenant] = waiting
        if (looked && tenant !== undefined && hasRoom()) wake(tenant)
      })
  }
  return {
    wake,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('The worker stops'))
      clearTimeout(lookAgain)
      await taking
      await Promise.all(running)
      clearTimeout(lookAgain)
      await slots[Symbol.asyncDispose]()
    },
  }
}

/** The encoders of a worker: they hear of each job at once, and begin with what was left when nobody worked. */
export const startEncoders = async (deps: EncodingDeps): Promise<AsyncDisposable> => {
  const encoders = openEncoders(deps)
  // Nothing is begun before what was left is out of the way: folders of this process's own would look like those of a killed one.
  const recovered = requeueAbandonedJobs(deps)
  const listener = listen(deps, { channel: videoChannel, name: videoListener }, (id) => {
    recovered.then(
      () => {
        const tenant = customerId.safeParse(id)
        if (tenant.success) encoders.wake(tenant.data)
      },
      () => undefined,
    )
  })
  const [awake] = await Promise.all([recovered, listener.ready])
  for (const id of awake) encoders.wake(id)
  return {
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]()
      await encoders[Symbol.asyncDispose]()
    },
  }
}
