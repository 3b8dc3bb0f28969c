import { readMoney, writeMoney } from '#api/platform/csv.ts'
import { StartupError } from '#api/platform/log.ts'

/** Minor units as people write them, with the currency: `12.50 USD`, `3000 KRW`. */
export const formatAmount = (amount: number, currency: string) => `${writeMoney(amount, currency)} ${currency}`

/** Minor units of an amount as it was typed, `12.50`; the sentence that refuses it names the option. */
export const typedAmount = (option: string, typed: string, currency: string): number => {
  const amount = readMoney(typed, currency)
  if (typeof amount === 'number') return amount
  throw new StartupError(`${option} ${amount.right}.`)
}
