import type pg from 'pg'
import { clockAt } from '#contract/dates.ts'
import type { Clock } from './context.ts'
import { moveClock, readClock } from './db/connections.ts'

export const dayMilliseconds = 86_400_000

/**
 * Rounds seconds that a client sent to milliseconds. Columns of seconds refuse numbers that are too
 * small for them.
 */
export const toWholeMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** The store's clock. Demos and tests advance it, for example to show a year of renewals. */
export interface StoreClock extends Clock {
  /** The offset from the system clock, in milliseconds. */
  ahead(): number
  /** Advances the clock of every process of the installation. Returns the new time. */
  move(milliseconds: number): Promise<Date>
  /** Reads the offset that another process may have changed. */
  refresh(): Promise<void>
}

/**
 * Creates the store's clock. The database stores the offset, so it survives a restart. The clock
 * never goes back, because recorded events cannot be undone.
 */
export const createStoreClock = (pool: pg.Pool): StoreClock => {
  let ahead = 0
  const advance = (saved: number) => {
    ahead = Math.max(ahead, saved)
  }
  const now = () => new Date(Date.now() + ahead)
  return {
    now,
    ahead: () => ahead,
    move: async (milliseconds) => {
      if (!Number.isSafeInteger(milliseconds) || milliseconds < 0)
        throw new RangeError('The clock can only move forward, by whole milliseconds')
      advance(await moveClock(pool, milliseconds))
      return now()
    },
    refresh: async () => advance(await readClock(pool)),
  }
}

interface Progress {
  done: number
  total: number
  /** When it began. */
  createdAt: string
}

/** Estimates the seconds that work needs by its pace since it began. Null until a part is done. */
export const secondsLeft = ({ done, total, createdAt }: Progress, now: Date): number | null => {
  if (done === 0) return null
  const elapsed = Math.max(0, now.getTime() - Date.parse(createdAt)) / 1000
  return Math.ceil((elapsed / done) * Math.max(0, total - done))
}

/** Returns the minute of a time in UTC, `2026-11-21T15:04`: a key of what happens once a minute. */
export const minuteOf = (time: Date): string => time.toISOString().slice(0, 16)

/**
 * Returns the start of a calendar day in a time zone: `2026-11-21` in Asia/Seoul is
 * 2026-11-20T15:00Z.
 */
export const startOfDay = (day: string, timeZone: string): Date => timeShown(new Date(`${day}T00:00:00Z`), timeZone)

/** Returns when a clock in a time zone shows what one in UTC shows at `shown`. */
const timeShown = (shown: Date, timeZone: string): Date => {
  // Corrects twice, because the first correction may cross a change of summer time.
  const once = new Date(shown.getTime() - offsetAt(shown, timeZone))
  return new Date(shown.getTime() - offsetAt(once, timeZone))
}

/** Returns when a clock in a time zone has shown the same time of the day, a week before. */
export const weekBefore = (time: Date, timeZone: string): Date =>
  timeShown(new Date(time.getTime() + offsetAt(time, timeZone) - 7 * dayMilliseconds), timeZone)

/** Returns the next calendar day: `2026-12-01` for `2026-11-30`. */
export const dayAfter = (day: string) => {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** Returns the times between which a list is filtered by days; null for an absent day. */
export const timesOfDays = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): { since: Date | null; until: Date | null } => ({
  since: from === undefined ? null : startOfDay(from, timeZone),
  until: to === undefined ? null : startOfDay(dayAfter(to), timeZone),
})

/** Returns the calendar day of a time in a time zone. */
export const dayAt = (time: Date, timeZone: string) =>
  new Date(time.getTime() + offsetAt(time, timeZone)).toISOString().slice(0, 10)

/** Returns the offset of a time zone from UTC, in milliseconds. */
export const offsetAt = (time: Date, timeZone: string) =>
  clockAt(time, timeZone) - Math.floor(time.getTime() / 1000) * 1000

/** Returns the day and minute that a clock in a time zone shows: `2026-11-26 04:58`. */
export const minuteAt = (time: Date, timeZone: string): string =>
  new Date(time.getTime() + offsetAt(time, timeZone)).toISOString().slice(0, 16).replace('T', ' ')

/** Returns the heading of a column of times: `created (Asia/Seoul)`. */
export const timeHeading = (name: string, timeZone: string): string => `${name} (${timeZone})`

/** Returns a time as the files have it: `2026-11-26 04:58`, in the store's time zone. */
export const timeCell = (at: string | null, timeZone: string): string | null =>
  at === null ? null : minuteAt(new Date(at), timeZone)

/** Returns the last millisecond of a day (`2026-11-21`) in a time zone. */
export const endOfDay = (day: string, timeZone: string): Date =>
  new Date(startOfDay(dayAfter(day), timeZone).getTime() - 1)
