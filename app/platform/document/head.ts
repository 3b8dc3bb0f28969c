import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Picture } from '#contract/picture.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { defaultFaviconPath, defaultProductName } from '~/platform/constants'
import { openGraphLocales, withPrefix } from '~/platform/i18n/locales'
import type { LocaleState } from '~/platform/i18n/switch-locale'
import { siteSettingsQuery } from '~/platform/shell/shell.queries'

/** What every route's `head` is given by the router's context. */
export interface HeadContext {
  queryClient: QueryClient
  i18n: I18n
  page: { origin: string; requestId: string | undefined }
  localeState: LocaleState
}

type HeadTag = Record<string, string>

const settingsOf = (context: HeadContext): SiteSettings | undefined =>
  context.queryClient.getQueryData(siteSettingsQuery.queryKey)

/** The store's name: as configured, or the product's. */
export const siteName = (settings: SiteSettings | undefined): string =>
  settings?.seo.title ?? settings?.base.name ?? defaultProductName

const notFoundTitle = msg`Page not found`

/** The tags of every document. A page's own tags of the same name take their place. */
export function siteHead(context: HeadContext, pathname: string, found = true) {
  const settings = settingsOf(context)
  const name = siteName(settings)
  const description = settings?.seo.description
  const favicon = settings?.base.faviconPublicUrl ?? defaultFaviconPath
  return {
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      { title: found ? name : `${context.i18n._(notFoundTitle)} · ${name}` },
      { name: 'robots', content: found && settings?.seo.use ? 'index,follow' : 'noindex,nofollow' },
      { property: 'og:site_name', content: name },
      { property: 'og:type', content: 'website' },
      { property: 'og:title', content: name },
      { property: 'og:locale', content: openGraphLocales[context.localeState.locale] },
      { property: 'og:url', content: addressOf(context, pathname) },
      { name: 'twitter:card', content: 'summary_large_image' },
      ...(context.page.requestId ? [{ name: 'request-id', content: context.page.requestId }] : []),
      ...(description ? describedBy(description) : []),
      ...(settings?.seo.ogImagePublicUrl ? [ogImage(context, settings.seo.ogImagePublicUrl)] : []),
    ],
    links: [
      { rel: 'icon', href: favicon },
      { rel: 'manifest', href: '/manifest.webmanifest' },
      ...(found ? [{ rel: 'canonical', href: addressOf(context, pathname) }] : []),
      ...(found ? languageLinks(context, settings, pathname) : []),
    ],
  }
}

interface PageWords {
  title: string | MessageDescriptor
  description?: string | null | undefined
  image?: Picture | null
  type?: 'website' | 'article' | 'video.other' | 'product'
  /** Keep this page out of search engines, whatever the settings say. */
  noindex?: boolean
}

/** A page's own title, description and picture. */
export function pageHead(context: HeadContext, { title, description, image, type, noindex }: PageWords) {
  const words = typeof title === 'string' ? title : context.i18n._(title)
  const meta: HeadTag[] = [
    { title: `${words} · ${siteName(settingsOf(context))}` },
    { property: 'og:title', content: words },
    ...(description ? describedBy(description) : []),
    ...(type ? [{ property: 'og:type', content: type }] : []),
    ...(image ? [ogImage(context, image.url)] : []),
    ...(noindex ? [{ name: 'robots', content: 'noindex,nofollow' }] : []),
  ]
  return { meta }
}

const describedBy = (description: string): HeadTag[] => [
  { name: 'description', content: description },
  { property: 'og:description', content: description },
]

const ogImage = (context: HeadContext, url: string): HeadTag => ({
  property: 'og:image',
  content: new URL(url, baseOf(context)).href,
})

const baseOf = (context: HeadContext) => settingsOf(context)?.seo.publicUrl ?? context.page.origin

/** The full address of a path of this store, in the language its address names. */
export function addressOf(context: HeadContext, pathname: string): string {
  const { prefixed, locale } = context.localeState
  return new URL(prefixed ? withPrefix(pathname, locale) : pathname, baseOf(context)).href
}

function languageLinks(context: HeadContext, settings: SiteSettings | undefined, pathname: string) {
  const base = baseOf(context)
  const offered = settings?.base.locales ?? []
  if (offered.length < 2) return []
  return [
    ...offered.map((locale) => ({
      rel: 'alternate',
      hrefLang: locale,
      href: new URL(withPrefix(pathname, locale), base).href,
    })),
    { rel: 'alternate', hrefLang: 'x-default', href: new URL(pathname, base).href },
  ]
}
