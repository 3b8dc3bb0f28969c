import type { Locale } from '#contract/enumerations.ts'
import { locale as localeSchema } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { CallContext } from './call-context.ts'
import { languageOf } from './validation.ts'

/** The language of what is said back to the caller: the first of Accept-Language we have sentences in, else the store's own. */
export const callerLanguage = ({ headers, customer }: CallContext): Locale =>
  languageOf(headers.get('accept-language'), customer.settings.base.locale)

/** The first language of Accept-Language the store has, else the store's own. */
export const localeOf = ({ base: { locale, locales } }: SiteSettings, headers: Headers): Locale => {
  const wanted = (headers.get('accept-language') ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  for (const wish of wanted) {
    const known = localeSchema.safeParse(wish)
    if (known.success && locales.includes(known.data)) return known.data
  }
  return locale
}
