import * as z from 'zod/mini'

/** ISO 4217. The digits of the minor unit come from Intl, never from a table of our own. */
export const currency = z.string().check(z.regex(/^[A-Z]{3}$/))

/** An amount in the currency's minor unit: 1250 USD is $12.50, 12000 KRW is ₩12,000. */
export const money = z.object({
  amount: z.int(),
  currency,
})
export type Money = z.output<typeof money>
