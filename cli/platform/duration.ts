import { InvalidArgumentError } from 'commander'

const units = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** Parses `90m`, `12h` or `31d`. Returns milliseconds. */
export const readDuration = (text: string): number => {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const milliseconds = units.get(unit ?? '')
  if (!count || !milliseconds)
    throw new InvalidArgumentError('Enter minutes, hours or days, for example 90m, 12h or 31d.')
  return Number(count) * milliseconds
}

/** Parses `2027-03-31`. Returns the end of that day in UTC. */
export const readEndOfDay = (text: string): Date => {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T23:59:59.999Z`) : null
  if (!day || Number.isNaN(day.getTime())) throw new InvalidArgumentError('Enter a day, for example 2027-03-31.')
  return day
}
