import type { Money } from '#contract/money.ts'
import { leftToRight } from './left-to-right'
import { numberFormat } from './number-formats'

const formatFor = (locale: string, currency: string) =>
  numberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })

const digitsByCurrency = new Map<string, number>()

/** How many digits a currency's minor unit has: 2 for USD, 0 for KRW. */
export function minorDigits(currency: string): number {
  let digits = digitsByCurrency.get(currency)
  if (digits === undefined) {
    digits = formatFor('en', currency).resolvedOptions().maximumFractionDigits ?? 2
    digitsByCurrency.set(currency, digits)
  }
  return digits
}

/** An amount for people: digits in threes, a minus sign for negatives, the currency as the language writes it. */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  const text = formatFor(locale, currency).format(amount / 10 ** minorDigits(currency))
  if (!text.startsWith(rightToLeftMark)) return text
  // Right-to-left languages write the currency last; without a mark behind it, the line would carry it to its other end.
  // A minus sign stays with its number, which stands where that of any other amount does.
  return text.replace(negativeNumber, (number) => leftToRight(number.slice(1))) + leftToRightMark
}

const rightToLeftMark = '\u200f'
const leftToRightMark = '\u200e'
const negativeNumber = /\u200e-[\p{N}.,٫٬]+/u

/** An amount given in the major unit, as a person types it: 12.5 USD is $12.50. */
export const formatMajor = (value: number, currency: string, locale: string): string =>
  formatMoney({ amount: Math.round(value * 10 ** minorDigits(currency)), currency }, locale)

/** A bare amount: digits in threes, a minus sign for negatives. */
export const formatAmount = (value: number): string =>
  `${value < 0 ? '-' : ''}${String(Math.abs(value)).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')}`
