import { readMoney, writeMoney } from '#api/platform/csv/csv.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { OperatorError } from '#api/platform/log/log.ts'

/** Formats minor units with the currency: `12.50 USD`, `3000 KRW`. */
export const formatAmount = (amount: number, currency: string) => `${writeMoney(amount, currency)} ${currency}`

/**
 * Parses an amount such as `12.50`. Returns minor units.
 *
 * @throws an error that names the option, for an invalid amount
 */
export const parseAmount = (option: string, typed: string, currency: string): number => {
  const amount = readMoney(typed, currency)
  if (typeof amount === 'number') return amount
  throw new OperatorError(`${option} ${amount.message(messagesOf('en'))}.`)
}
