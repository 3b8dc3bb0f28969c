import * as z from 'zod/mini'

/** An ISO 4217 code. The minor digits come from Intl. */
export const currency = z.string().check(z.regex(/^[A-Z]{3}$/))

/** An amount in the currency's minor unit: 1250 USD is $12.50, 12000 KRW is ₩12,000. */
export const money = z.object({
  amount: z.int(),
  currency,
})
export type Money = z.output<typeof money>

const formats = new Map<string, Intl.NumberFormat>()

/** Creating a format costs far more than using it. */
function formatFor(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${options.currency} ${options.currencyDisplay ?? ''}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, options)
    formats.set(key, format)
  }
  return format
}

/** Returns the number of minor digits of a currency: 2 for USD, 0 for KRW. */
export const minorDigits = (currency: string): number =>
  formatFor('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/**
 * Formats an amount in a language: `$12.50`, `27,000원`. Pages, mails, receipts and the sandbox
 * share it. `currencyDisplay` is the symbol unless a font has no glyph for it.
 */
export function moneyText(
  { amount, currency }: Money,
  locale: string,
  currencyDisplay: 'narrowSymbol' | 'code' = 'narrowSymbol',
): string {
  const value = amount / 10 ** minorDigits(currency)
  // Korean text has won after the number. Intl only puts the symbol before it.
  if (currency === 'KRW' && /^ko\b/.test(locale)) return `${formatFor(locale, {}).format(value)}원`
  return formatFor(locale, { style: 'currency', currency, currencyDisplay }).format(value)
}

/** A price from a time on, in minor units. */
export interface PriceChange {
  at: string
  priceAmount: number
  listPriceAmount: number | null
}
