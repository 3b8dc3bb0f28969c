import { InvalidArgumentError } from 'commander'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { orderCode } from '#contract/ids.ts'

type Parsed<Value> = { success: true; data: Value } | { success: false }
type TextSchema<Value> = { safeParse: (text: string) => Parsed<Value> }

/** Returns a parser of an id. It refuses other text with `message`. */
export const idArgument =
  <Id>(schema: TextSchema<Id>, message: string) =>
  (text: string): Id => {
    const parsed = schema.safeParse(text.trim().toLowerCase())
    if (!parsed.success) throw new InvalidArgumentError(message)
    return parsed.data
  }

/** Returns a parser of a code, in either case. It refuses other text with `message`. */
export const codeArgument =
  <Code>(schema: TextSchema<Code>, message: string) =>
  (text: string): Code => {
    const parsed = schema.safeParse(text.trim().toUpperCase())
    if (!parsed.success) throw new InvalidArgumentError(message)
    return parsed.data
  }

/** Parses the code of an order, in either case. */
export const readOrderCode = codeArgument(orderCode, 'Enter the code of an order, for example 20261121-7F3K9Q.')

/** Parses a whole number from 1. */
export const wholeNumber = (text: string) => {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Enter a number from 1, for example 3.')
  return Number(text)
}

/** Parses `2027-03-31`. Returns the text: when a day begins depends on the store's time zone. */
export const readDay = (text: string): string => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('Enter a day, for example 2027-03-31.')
  return text
}

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
