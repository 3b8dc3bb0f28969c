import { randomInt } from 'node:crypto'
import type { OrderCode } from '#contract/ids.ts'

/** Crockford's alphabet: no I, L, O or U, so that a code can be read out on the phone. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new order's code: the day in the tenant's time zone and six random characters, `20261121-7F3K9Q`. */
export const newOrderCode = (now: Date, timeZone: string): OrderCode => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const characters = Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)])
  return `${day.format(now).replaceAll('-', '')}-${characters.join('')}` as OrderCode
}
