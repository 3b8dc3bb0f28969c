import { type Money, minorDigits, moneyText } from '#contract/money.ts'
import { leftToRight } from './left-to-right'

/** An amount for people: digits in threes, a minus sign for negatives, the currency as the language writes it. */
export function formatMoney(money: Money, locale: string): string {
  const text = moneyText(money, locale)
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
