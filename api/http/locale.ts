import { negotiateLanguage } from '#contract/accept-language.ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { CallContext } from './call-context.ts'

/** The language of what is said back to the caller: the most wanted of Accept-Language we have sentences in, else the store's own. */
export const callerLanguage = ({ headers, customer }: CallContext): Locale =>
  negotiateLanguage(headers.get('accept-language'), localeSchema.options, customer.settings.base.locale)

/** The most wanted language of Accept-Language the store has, else the store's own. */
export const localeOf = ({ base: { locale, locales } }: SiteSettings, headers: Headers): Locale =>
  negotiateLanguage(headers.get('accept-language'), locales, locale)
