import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { SiteSettings } from '#contract/tenancy.ts'

/** The country of a number that is written without one: where the store's money or, where many share it, the store's language is at home. */
const byCurrency: Record<string, CountryCode> = {
  ...{ KRW: 'KR', JPY: 'JP', USD: 'US', GBP: 'GB', CAD: 'CA', AUD: 'AU', NZD: 'NZ', SGD: 'SG', HKD: 'HK', TWD: 'TW' },
  ...{ AED: 'AE', SAR: 'SA', EGP: 'EG', QAR: 'QA', KWD: 'KW', MAD: 'MA', JOD: 'JO', INR: 'IN', CHF: 'CH', CNY: 'CN' },
}
const byLocale: Partial<Record<SiteSettings['base']['locale'], CountryCode>> = { ko: 'KR', ja: 'JP' }

/** A phone number as it is kept, E.164; null for what is none. */
export const readPhone = (written: string, { base }: SiteSettings): string | null => {
  const country = byCurrency[base.currency] ?? byLocale[base.locale]
  const number = parsePhoneNumberFromString(written.normalize('NFKC'), country)
  return number?.isValid() ? number.number : null
}
