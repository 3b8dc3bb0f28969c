import { InvalidArgumentError } from 'commander'

/** Parses `2027-03-31`. Returns the text: when a day begins depends on the store's time zone. */
export const readDay = (text: string): string => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('Enter a day, for example 2027-03-31.')
  return text
}
