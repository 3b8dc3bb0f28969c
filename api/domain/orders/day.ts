/** The moment a calendar day begins in a time zone: `2026-11-21` in Asia/Seoul is 2026-11-20T15:00Z. */
export const startOfDay = (day: string, timeZone: string): Date => {
  const guess = new Date(`${day}T00:00:00Z`)
  // Twice, because the first correction may step over a change of summer time.
  const once = new Date(guess.getTime() - offsetAt(guess, timeZone))
  return new Date(guess.getTime() - offsetAt(once, timeZone))
}

export const dayAfter = (day: string) => {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** The calendar day a moment lies in, in a time zone. */
export const dayAt = (moment: Date, timeZone: string) =>
  new Date(moment.getTime() + offsetAt(moment, timeZone)).toISOString().slice(0, 10)

/** How far a zone's clock is ahead of UTC, in milliseconds. */
export const offsetAt = (moment: Date, timeZone: string) => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
    Math.floor(moment.getTime() / 1000) * 1000
  )
}
