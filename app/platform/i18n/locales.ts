import { acceptedLanguages } from '#contract/accept-language.ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'
import type { TextLanguages } from '#contract/translations.ts'

export type { Locale }

export const locales = localeSchema.options
/** On calls of a page: the language the page is shown in. */
export const languageHeader = 'x-page-language'

export const fallbackLocale: Locale = 'en'

/** The `lang` of a text that is not in the language of the page, by the field it stands in. */
export const langOf = (texts: { languages?: TextLanguages | undefined }, field: string): Locale | undefined =>
  texts.languages?.[field]

/** Each language in its own words, as a person looks for it. */
export const localeNames: Record<Locale, string> = { en: 'English', ko: '한국어', ja: '日本語', ar: 'العربية' }

/** Open Graph wants a territory. */
export const openGraphLocales: Record<Locale, string> = { en: 'en_US', ko: 'ko_KR', ja: 'ja_JP', ar: 'ar_AR' }

export const isLocale = (value: unknown): value is Locale => (locales as readonly unknown[]).includes(value)

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/** The locale an address asks for: `/ko/products` → ko. */
export function prefixOf(pathname: string): Locale | undefined {
  const first = pathname.split('/', 2)[1]
  return isLocale(first) ? first : undefined
}

/** `/ko/products` → `/products`. */
export function withoutPrefix(pathname: string): string {
  const prefix = prefixOf(pathname)
  return prefix ? pathname.slice(prefix.length + 1) || '/' : pathname
}

/** `/products` → `/ko/products`. */
export const withPrefix = (pathname: string, locale: Locale): string => `/${locale}${pathname === '/' ? '' : pathname}`

interface Wishes {
  prefix: Locale | undefined
  cookie: string | undefined
  acceptLanguage: string | null
}

/** Address → cookie → Accept-Language → the tenant's fallback; only what the tenant offers. */
export function negotiateLocale(wishes: Wishes, offered: readonly Locale[], fallback: Locale): Locale {
  const asked = [wishes.prefix, wishes.cookie, ...acceptedLanguages(wishes.acceptLanguage)]
  return asked.find((tag): tag is Locale => isLocale(tag) && offered.includes(tag)) ?? fallback
}
