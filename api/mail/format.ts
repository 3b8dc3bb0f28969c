import type { Locale } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { Wording } from './template.ts'

/** Amounts and moments as a reader of the language writes them, on the clock of the store's place. */
export const wordingOf = (locale: Locale, { base }: SiteSettings, store: string): Wording => {
  const dated = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: base.timeZone, ...options })
    return (iso: string) => format.format(new Date(iso))
  }
  return {
    store,
    money: ({ amount, currency }) => {
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
      return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0))
    },
    moment: dated({ dateStyle: 'long', timeStyle: 'short' }),
    day: dated({ dateStyle: 'long' }),
  }
}
