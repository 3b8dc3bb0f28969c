import { InvalidArgumentError } from 'commander'
import { type OrderCode, orderCode } from '#contract/ids.ts'

/** Parses the code of an order, in either case. */
export const readOrderCode = (text: string): OrderCode => {
  const parsed = orderCode.safeParse(text.trim().toUpperCase())
  if (!parsed.success) throw new InvalidArgumentError('Enter the code of an order, for example 20261121-7F3K9Q.')
  return parsed.data
}
