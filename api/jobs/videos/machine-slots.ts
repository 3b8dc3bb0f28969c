import { hostname } from 'node:os'
import { resolve } from 'node:path'
import pg from 'pg'
import type { Deps } from '#api/deps.ts'

/** Leave to make one video on this machine; given back when disposed. */
export type Slot = AsyncDisposable

export interface MachineSlots extends AsyncDisposable {
  /** Null while all the workers of the machine together make as many videos as they may. */
  take(): Promise<Slot | null>
}

/**
 * However many workers an installation has on a machine, together they make as many videos at the same time as one is allowed to
 * (`deps.video.encoders`): the database keeps the places as locks of one connection, so that a worker that is killed leaves none taken.
 * A machine is known by its name and the data folder. Should the connection break, what is under way goes on.
 */
export const openMachineSlots = ({
  pool,
  video,
  dataFolder,
  log,
}: Pick<Deps, 'pool' | 'video' | 'dataFolder' | 'log'>): MachineSlots => {
  const machine = `${hostname()}:${resolve(dataFolder)}`
  const mine = new Set<number>()
  let client: pg.Client | null = null
  let busy: Promise<unknown> = Promise.resolve()

  const connected = async (): Promise<pg.Client> => {
    if (client) return client
    const fresh = new pg.Client({
      connectionString: pool.options.connectionString,
      application_name: 'marquee-encoders',
    })
    const lose = (error?: Error) => {
      if (client !== fresh) return
      client = null
      log.warn({ err: error }, 'The places of the encoders were lost')
    }
    fresh.on('error', lose)
    fresh.on('end', () => lose())
    await fresh.connect()
    client = fresh
    return fresh
  }
  /** One question at a time. */
  const ask = async (statement: string, place: number): Promise<boolean> => {
    const { rows } = await (await connected()).query<{ done: boolean }>(
      `SELECT ${statement}(hashtextextended($1, 5)) AS done`,
      [`${machine}:${place}`],
    )
    return rows[0]?.done === true
  }
  const inTurn = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const answer = busy.then(work)
    busy = answer.catch(() => undefined)
    return answer
  }

  const takePlace = async (): Promise<Slot | null> => {
    for (let place = 1; place <= video.encoders; place++) {
      // The same connection would get its own lock a second time.
      if (mine.has(place) || !(await ask('pg_try_advisory_lock', place))) continue
      mine.add(place)
      return {
        [Symbol.asyncDispose]: () =>
          inTurn(async () => {
            mine.delete(place)
            if (client) await ask('pg_advisory_unlock', place).catch(() => undefined)
          }),
      }
    }
    return null
  }
  return {
    take: () => inTurn(takePlace),
    [Symbol.asyncDispose]: async () => {
      await busy
      const last = client
      client = null
      await last?.end()
    },
  }
}
