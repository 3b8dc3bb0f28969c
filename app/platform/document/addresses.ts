import type { SiteSettings } from '#contract/tenancy.ts'
import { type Locale, withPrefix } from '~/platform/i18n/locales'

/**
 * Search parameters that are part of a page's canonical address, by route. All others only filter
 * or sort.
 */
const canonicalParams: Record<string, readonly ('category' | 'page' | 'plan')[]> = {
  '/products': ['category', 'page'],
  '/videos': ['category', 'page'],
  '/notices': ['page'],
  '/plans/plan-products': ['plan', 'page'],
  '/plans/$id/products': ['page'],
}

export interface CanonicalPage {
  /** The route's path, such as `/products/$code`, with or without a trailing slash. */
  route: string
  params?: Readonly<Record<string, string>>
  /** Validated by the route's schema. */
  search?: Readonly<Record<string, unknown>>
}

/**
 * The canonical path of a page: no trailing slash, no language, only the search parameters that
 * identify the page. Canonical link, og:url, alternates, sitemap and structured data all use it.
 */
export function canonicalPath({ route, params = {}, search = {} }: CanonicalPage): string {
  const bare = route.replace(/(?<=.)\/+$/, '')
  const path = bare.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = (canonicalParams[bare] ?? []).flatMap((name) => {
    const value = search[name]
    if (value === undefined || (name === 'page' && Number(value) <= 1)) return []
    return `${name}=${encodeURIComponent(String(value)).replaceAll('%2F', '/')}`
  })
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

/** The canonical path of one category's product list. */
export const categoryPath = (category: { path: string }): string =>
  canonicalPath({ route: '/products', search: { category: category.path } })

/** The origin of the store's URLs: from its settings, or the one that the visitor used. */
export const baseOf = (settings: Pick<SiteSettings, 'seo'> | undefined, origin: string): string =>
  settings?.seo.publicUrl ?? origin

/** The full URL of a path, with the language's prefix where one is given. */
export const absoluteUrl = (path: string, base: string, locale?: Locale): string =>
  new URL(locale ? withPrefix(path, locale) : path, base).href

export interface Alternate {
  hreflang: Locale | 'x-default'
  href: string
}

/**
 * The hreflang alternates of a page; empty for a page in one language. The URL without a language
 * negotiates it, so it is `x-default`.
 */
export function alternatesOf(path: string, base: string, languages: readonly Locale[]): Alternate[] {
  if (languages.length < 2) return []
  return [
    ...languages.map((locale) => ({ hreflang: locale, href: absoluteUrl(path, base, locale) })),
    { hreflang: 'x-default', href: absoluteUrl(path, base) },
  ]
}

/**
 * The languages a page exists in. A page of interface texts exists in all languages of the store; a
 * page of the store's content in those it is translated into, by default the store's own.
 */
export function languagesOf(
  { base }: Pick<SiteSettings, 'base'>,
  content: { translated?: readonly Locale[] | undefined } | null,
): Locale[] {
  if (!content) return base.locales
  const { translated = [base.locale] } = content
  return base.locales.filter((locale) => locale === base.locale || translated.includes(locale))
}
