import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Deps } from '#api/deps.ts'
import { createLockConnection } from '#api/lock-connection.ts'

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
  const connection = createLockConnection({
    ...{ pool, name: 'marquee-encoders' },
    onLost: (error) => log.warn({ err: error }, 'The places of the encoders were lost'),
  })
  let busy: Promise<unknown> = Promise.resolve()

  const ask = (statement: string, place: number) =>
    connection.ask(`SELECT ${statement}(hashtextextended($1, 5)) AS done`, [`${machine}:${place}`])
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
            if (connection.isOpen()) await ask('pg_advisory_unlock', place).catch(() => undefined)
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
