import type pg from 'pg'

interface Row {
  ahead: number
}

/** Returns the offset of the store's clock from the system clock, in milliseconds. */
export const readClock = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<Row>('SELECT ahead_milliseconds AS ahead FROM store_clock')
  return Number(rows[0]?.ahead ?? 0)
}

/** Advances the clock by `milliseconds`. Returns the new offset in milliseconds. */
export const moveClock = async (pool: pg.Pool, milliseconds: number): Promise<number> => {
  const { rows } = await pool.query<Row>(
    `INSERT INTO store_clock (ahead_milliseconds) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET ahead_milliseconds = store_clock.ahead_milliseconds + $1
       RETURNING ahead_milliseconds AS ahead`,
    [milliseconds],
  )
  return Number(rows[0]?.ahead ?? 0)
}
