import { InvalidArgumentError } from 'commander'
import { dayMilliseconds } from '#api/platform/clock.ts'

const units = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', dayMilliseconds],
])

/** Parses `90m`, `12h` or `31d`. Returns milliseconds. */
export const readDuration = (text: string): number => {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const milliseconds = units.get(unit ?? '')
  if (!count || !milliseconds)
    throw new InvalidArgumentError('Enter minutes, hours or days, for example 90m, 12h or 31d.')
  return Number(count) * milliseconds
}
