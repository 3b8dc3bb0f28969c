import { InvalidArgumentError } from 'commander'

/** Parses a whole number from 1. */
export const wholeNumber = (text: string) => {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Enter a number from 1, for example 3.')
  return Number(text)
}
