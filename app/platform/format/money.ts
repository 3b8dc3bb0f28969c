import type { Money } from '#contract/money.ts'

const formats = new Map<string, Intl.NumberFormat>()

function formatFor(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    formats.set(key, format)
  }
  return format
}

/** How many digits a currency's minor unit has: 2 for USD, 0 for KRW. */
export const minorDigits = (currency: string): number =>
  formatFor('en', currency).resolvedOptions().maximumFractionDigits ?? 2

/** An amount for people: digits in threes, a minus sign for negatives, the currency as the language writes it. */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  const format = formatFor(locale, currency)
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  const text = format.format(amount / 10 ** digits)
  // Right-to-left languages write the sign last; without a mark behind it, the line would carry it to its other end.
  return text.startsWith(rightToLeftMark) ? text + leftToRightMark : text
}

const rightToLeftMark = '\u200f'
const leftToRightMark = '\u200e'

/** An amount given in the major unit, as a person types it: 12.5 USD is $12.50. */
export const formatMajor = (value: number, currency: string, locale: string): string =>
  formatMoney({ amount: Math.round(value * 10 ** minorDigits(currency)), currency }, locale)

/** A bare amount: digits in threes, a minus sign for negatives. */
export const formatAmount = (value: number): string =>
  `${value < 0 ? '-' : ''}${String(Math.abs(value)).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')}`
