import * as z from 'zod/mini'

/** ISO 4217. The digits of the minor unit come from Intl, never from a table of our own. */
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

/** How many digits a currency's minor unit has: 2 for USD, 0 for KRW. */
export const minorDigits = (currency: string): number =>
  formatFor('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/**
 * An amount as a reader of the language writes it: `$12.50`, `27,000원`. Pages, mails, receipts and the sandbox share it.
 * `currencyDisplay` is the currency's sign unless a font has no glyph for it.
 */
export function moneyText(
  { amount, currency }: Money,
  locale: string,
  currencyDisplay: 'narrowSymbol' | 'code' = 'narrowSymbol',
): string {
  const value = amount / 10 ** minorDigits(currency)
  // Koreans write won after the number. Intl has only the sign before it.
  if (currency === 'KRW' && /^ko\b/.test(locale)) return `${formatFor(locale, {}).format(value)}원`
  return formatFor(locale, { style: 'currency', currency, currencyDisplay }).format(value)
}
