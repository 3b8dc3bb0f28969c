/** The parts of a time in a time zone, as a field for a date and a time writes them. */
const wallClock = (time: Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(time)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** `2026-11-21T18:30` for an ISO time, in the store's time zone. */
export const localOf = (iso: string, timeZone: string): string => wallClock(new Date(iso), timeZone)

/** The ISO time of `2026-11-21T18:30` in the store's time zone. */
export const isoOf = (local: string, timeZone: string): string => {
  const localTime = Date.parse(`${local}Z`)
  // Corrected twice, because the first correction may cross a change of summer time.
  let time = localTime
  for (let correction = 0; correction < 2; correction++)
    time += localTime - Date.parse(`${wallClock(new Date(time), timeZone)}Z`)
  return new Date(time).toISOString()
}
