import type pg from 'pg'
import type { Clock } from './context.ts'

/** The store's time, which may be moved forward: for a demo that shows a year of renewals, and for tests of it. */
export interface StoreClock extends Clock {
  /** Milliseconds it is ahead of the machine's. */
  ahead(): number
  /** Moves it by so many milliseconds, for every process of the installation; answers the new time. */
  move(milliseconds: number): Promise<Date>
  /** Learns what another process has moved. */
  refresh(): Promise<void>
}

/** Time is kept in the database, so that it stands where it was after a restart. It never goes back: what has happened has happened. */
export const createStoreClock = (pool: pg.Pool): StoreClock => {
  let ahead = 0
  const learn = (rows: readonly { ahead: number }[]) => {
    ahead = Math.max(ahead, Number(rows[0]?.ahead ?? 0))
  }
  const now = () => new Date(Date.now() + ahead)
  return {
    now,
    ahead: () => ahead,
    move: async (milliseconds) => {
      if (!Number.isSafeInteger(milliseconds) || milliseconds < 0)
        throw new RangeError('The clock moves forward alone, by whole milliseconds')
      const { rows } = await pool.query<{ ahead: number }>(
        `INSERT INTO store_clock (ahead_milliseconds) VALUES ($1)
           ON CONFLICT (only_row) DO UPDATE SET ahead_milliseconds = store_clock.ahead_milliseconds + $1
           RETURNING ahead_milliseconds AS ahead`,
        [milliseconds],
      )
      learn(rows)
      return now()
    },
    refresh: async () => {
      learn((await pool.query<{ ahead: number }>('SELECT ahead_milliseconds AS ahead FROM store_clock')).rows)
    },
  }
}
