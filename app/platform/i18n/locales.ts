import { acceptedLanguages } from '#contract/accept-language.ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'
import type { TextLanguages } from '#contract/translations.ts'

export type { Locale }

export const locales = localeSchema.options
/** The header with the page's language, on calls from a page. */
export const languageHeader = 'x-page-language'

export const fallbackLocale: Locale = 'en'

/** The `lang` of a field's text, where it is not in the page's language. */
export const langOf = (texts: { languages?: TextLanguages | undefined }, field: string): Locale | undefined =>
  texts.languages?.[field]

/** Each language's name in that language. */
export const localeNames: Record<Locale, string> = { en: 'English', ko: '한국어', ja: '日本語', ar: 'العربية' }

/** Open Graph requires a territory. */
export const openGraphLocales: Record<Locale, string> = { en: 'en_US', ko: 'ko_KR', ja: 'ja_JP', ar: 'ar_AR' }

export const isLocale = (value: unknown): value is Locale => locales.some((locale) => locale === value)

/** The locale of a path's prefix: `/ko/products` → ko. */
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

interface LocaleHints {
  prefix: Locale | undefined
  cookie: string | undefined
  acceptLanguage: string | null
}

/**
 * Negotiates the locale: address, cookie, Accept-Language, then the tenant's fallback, out of those
 * that the tenant offers.
 */
export function negotiateLocale(hints: LocaleHints, offered: readonly Locale[], fallback: Locale): Locale {
  const preferred = [hints.prefix, hints.cookie, ...acceptedLanguages(hints.acceptLanguage)]
  return preferred.find((tag): tag is Locale => isLocale(tag) && offered.includes(tag)) ?? fallback
}
