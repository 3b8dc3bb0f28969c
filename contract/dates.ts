/** The date format of stores that configure none. */
const defaultDateFormat = 'yyyy/mm/dd'

/** Cached by time zone, because creating a format costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  return format
}

const partsOf = (time: Date, timeZone: string) =>
  new Map(
    formatIn(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )

/**
 * Formats a date by a pattern of `yyyy`, `mm` and `dd` in the store's time zone. Pages, mails and
 * receipts share it, so that dates look the same everywhere.
 */
export function formatDate(iso: string, timeZone: string, pattern: string = defaultDateFormat): string {
  const parts = partsOf(new Date(iso), timeZone)
  return pattern
    .toLowerCase()
    .replace('yyyy', parts.get('year') ?? '')
    .replace('yy', (parts.get('year') ?? '').slice(2))
    .replace('mm', parts.get('month') ?? '')
    .replace('dd', parts.get('day') ?? '')
}

/** Formats the date with hours and minutes. */
export function formatDateTime(iso: string, timeZone: string, pattern?: string): string {
  const parts = partsOf(new Date(iso), timeZone)
  return `${formatDate(iso, timeZone, pattern)} ${parts.get('hour')}:${parts.get('minute')}`
}

/**
 * Returns what a time zone’s clock shows at a time, to the second, as if it were UTC. Milliseconds.
 */
export function clockAt(time: Date, timeZone: string): number {
  const parts = partsOf(time, timeZone)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/**
 * Returns the time at which a time zone's clock shows `clock`, which is a local time as if it were
 * UTC. For a local time that a change to summer time skips, the time lies beside it.
 */
export function timeOfClock(clock: number, timeZone: string): Date {
  // The offset of a nearby time is right except around a change. The second attempt is on the right
  // side of it.
  let time = clock - (clockAt(new Date(clock), timeZone) - clock)
  time = clock - (clockAt(new Date(time), timeZone) - time)
  return new Date(time)
}

/** Formats seconds as a duration: 4:05, 1:02:09. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** The longest range of analytics in days, both ends included: five years. */
export const maxAnalyticsDays = 1_830
