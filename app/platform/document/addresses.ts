import type { SiteSettings } from '#contract/tenancy.ts'
import { type Locale, withPrefix } from '~/platform/i18n/locales'

/** The search parameters that make a page of its own, by the route's path. All others only filter or sort what the page shows. */
const ownParams: Record<string, readonly ('category' | 'page' | 'plan')[]> = {
  '/products': ['category', 'page'],
  '/videos': ['category', 'page'],
  '/notices': ['page'],
  '/plans/plan-products': ['plan', 'page'],
  '/plans/$id/products': ['page'],
}

export interface CanonicalPage {
  /** The path of the route, such as `/products/$code`; a slash at its end does not count. */
  route: string
  params?: Readonly<Record<string, string>>
  /** Validated by the route's schema. */
  search?: Readonly<Record<string, unknown>>
}

/**
 * The one path of a page: without a slash at its end, without language, with the search parameters alone that make it a page of its
 * own. Canonical, og:url, alternates, the sitemap and structured data all name this path.
 */
export function canonicalPath({ route, params = {}, search = {} }: CanonicalPage): string {
  const bare = route.replace(/(?<=.)\/+$/, '')
  const path = bare.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const words = (ownParams[bare] ?? []).flatMap((name) => {
    const value = search[name]
    if (value === undefined || (name === 'page' && Number(value) <= 1)) return []
    return `${name}=${encodeURIComponent(String(value)).replaceAll('%2F', '/')}`
  })
  return words.length > 0 ? `${path}?${words.join('&')}` : path
}

/** The address of a product list that shows one category. */
export const categoryPath = (category: { path: string }): string =>
  canonicalPath({ route: '/products', search: { category: category.path } })

/** Where the store's addresses begin: as its settings say, or as the visitor reached it. */
export const baseOf = (settings: Pick<SiteSettings, 'seo'> | undefined, origin: string): string =>
  settings?.seo.publicUrl ?? origin

/** The full address of a path of the store; with a language, its address in that language. */
export const absoluteUrl = (path: string, base: string, locale?: Locale): string =>
  new URL(locale ? withPrefix(path, locale) : path, base).href

export interface Alternate {
  hreflang: Locale | 'x-default'
  href: string
}

/**
 * The addresses of a page in the languages it exists in. A page of one language has none. The address without a language answers in
 * the visitor's own, so it is the default.
 */
export function alternatesOf(path: string, base: string, languages: readonly Locale[]): Alternate[] {
  if (languages.length < 2) return []
  return [
    ...languages.map((locale) => ({ hreflang: locale, href: absoluteUrl(path, base, locale) })),
    { hreflang: 'x-default', href: absoluteUrl(path, base) },
  ]
}

/**
 * The languages a page exists in, of those the store offers. A page made of the interface's texts exists in all; a page of the store's
 * own content in those it is translated into, and in the store's own language as long as nothing else is known.
 */
export function languagesOf(
  { base }: Pick<SiteSettings, 'base'>,
  content: { translated?: readonly Locale[] | undefined } | null,
): Locale[] {
  if (!content) return base.locales
  const { translated = [base.locale] } = content
  return base.locales.filter((locale) => locale === base.locale || translated.includes(locale))
}
