/** One is costly to make, and a file asks for thousands. */
const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (timeZone: string) => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    })
  formats.set(timeZone, format)
  return format
}

/** What a clock of the zone shows, as if it were UTC. */
const parts = (date: Date, timeZone: string) => {
  const of = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(date)
      .map(({ type, value }) => [type, Number(value)]),
  )
  return Date.UTC(of.year!, of.month! - 1, of.day!, of.hour!, of.minute!, of.second!)
}

/** The moment a clock of the zone shows this; null where it never does (the hour that summer time skips). */
const momentOf = (clock: number, timeZone: string): Date | null => {
  // The offset of a moment near by is right but around a change; the second try is on the right side of it.
  let moment = clock - (parts(new Date(clock), timeZone) - clock)
  moment = clock - (parts(new Date(moment), timeZone) - moment)
  const date = new Date(moment)
  return parts(date, timeZone) === clock ? date : null
}

const local = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i

/** `2026-11-21 09:00` by the store's clock, a day (its beginning), or ISO 8601 with its offset. Null for anything else. */
export const readTime = (text: string, timeZone: string): string | null => {
  if (iso.test(text)) {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? null : date.toISOString()
  }
  const found = local.exec(text)
  if (!found) return null
  const [year, month, day, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0))
  const clock = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
  const back = new Date(clock)
  if (back.getUTCMonth() !== month! - 1 || back.getUTCDate() !== day || hour! > 23 || minute! > 59 || second! > 59)
    return null
  return momentOf(clock, timeZone)?.toISOString() ?? null
}

/** By the store's clock where that says all of it, else in ISO 8601: reading it gives the same moment. */
export const writeTime = (moment: string, timeZone: string): string => {
  const clock = new Date(parts(new Date(moment), timeZone)).toISOString()
  const short = clock.slice(0, 16).replace('T', ' ')
  return readTime(short, timeZone) === moment ? short : moment
}
