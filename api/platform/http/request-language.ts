import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Customer } from '#api/platform/context.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'

interface LanguageFacts {
  headers: Headers
  customer: Pick<Customer, 'settings'>
}

/**
 * Returns the language of messages to the caller: the preferred language of Accept-Language that
 * has messages, else the store's.
 */
export const callerLocale = ({ headers, customer }: LanguageFacts): Locale =>
  negotiateLanguage(headers.get('accept-language'), localeSchema.options, customer.settings.base.locale)

/**
 * Returns the language of a store's texts: the preferred language of Accept-Language that the store
 * has, else the store's own.
 */
export const storeLocale = ({ headers, customer }: LanguageFacts): Locale => {
  const { locale, locales } = customer.settings.base
  return negotiateLanguage(headers.get('accept-language'), locales, locale)
}

/** Returns the language of a demo page: the one chosen in the store, else the browser's. */
export const visitorLanguage = (context: Context): Locale => {
  const chosen = getCookie(context, 'locale')
  const { options } = localeSchema
  return (
    options.find((language) => language === chosen) ??
    negotiateLanguage(context.req.header('accept-language'), options, 'en')
  )
}
