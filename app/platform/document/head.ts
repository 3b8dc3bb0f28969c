import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Picture } from '#contract/picture.ts'
import { sharePictureUrl, shareSize } from '#contract/picture-variants.ts'
import { isPresent } from '#contract/rules.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { defaultFaviconPath, defaultProductName } from '~/platform/constants'
import type { LocaleState } from '~/platform/i18n/i18n'
import { type Locale, openGraphLocales } from '~/platform/i18n/locales'
import { settingsFor, siteSettingsQuery } from '~/platform/shell/shell.functions'
import { absoluteUrl, alternatesOf, baseOf, type CanonicalPage, canonicalPath, languagesOf } from './addresses'

/** A tag without content replaces the parent route's tag of the same name and is not rendered. */
export type HeadTag = Record<string, string | undefined>

/** A picture, with its size where it is known. */
export type SharedPicture = Pick<Picture, 'url' | 'alt'> & Partial<Pick<Picture, 'width' | 'height'>>

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  svg: 'image/svg+xml',
}
const typeOf = (url: string) => types[/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '']

/**
 * The Open Graph and Twitter tags of the picture that represents a page where it is shared. Stored
 * pictures become a JPEG of one size; external pictures are used as they are.
 * @param toAbsolute returns the full URL of a path of this store
 */
function shareImageTags(picture: SharedPicture | null, toAbsolute: (url: string) => string): HeadTag[] {
  const sharePicture = picture && sharePictureUrl(picture.url)
  const url = sharePicture ?? picture?.url
  const size = sharePicture ? shareSize : picture
  const address = url && toAbsolute(url)
  const text = (value: number | undefined) => (value ? String(value) : undefined)
  return [
    { property: 'og:image', content: address },
    { property: 'og:image:type', content: url && typeOf(url) },
    { property: 'og:image:width', content: text(size?.width) },
    { property: 'og:image:height', content: text(size?.height) },
    { property: 'og:image:alt', content: picture?.alt || undefined },
    { name: 'twitter:card', content: address ? 'summary_large_image' : 'summary' },
    { name: 'twitter:image', content: address },
    { name: 'twitter:image:alt', content: picture?.alt || undefined },
  ]
}

/** The part of the router's context that a route's `head` uses. */
export interface HeadContext {
  queryClient: QueryClient
  i18n: I18n
  page: { origin: string; requestId: string | undefined }
  localeState: LocaleState
}

const settingsOf = (context: HeadContext): SiteSettings | undefined => {
  const settings = context.queryClient.getQueryData(siteSettingsQuery.queryKey)
  return settings && settingsFor(settings, context.localeState.locale)
}

/** The store's name from its settings, or the product's name. Every page title ends with it. */
export const siteName = (settings: SiteSettings | undefined): string => {
  const name = settings?.base.name
  return isPresent(name) ? name : defaultProductName
}

const notFoundTitle = msg`Page not found`

/** The page that a document shows, and whether its text is the store's own content. */
export interface HeadPage extends CanonicalPage {
  content: { translated?: readonly Locale[] | undefined } | null
}

/**
 * The tags of every document. A page's own tags of the same name replace them.
 * @param page null for a missing page, which has no canonical URL and no alternates
 */
export function siteHead(context: HeadContext, page: HeadPage | null) {
  const pageExists = page !== null
  const settings = settingsOf(context)
  const name = siteName(settings)
  const description = settings?.seo.description
  const addresses = page && settings ? addressesOf(context, settings, page) : null
  const favicon = settings?.base.faviconPublicUrl ?? defaultFaviconPath
  return {
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
      { title: pageExists ? name : `${context.i18n._(notFoundTitle)} · ${name}` },
      { name: 'robots', content: pageExists && settings?.seo.use ? 'index,follow' : 'noindex,nofollow' },
      { property: 'og:site_name', content: name },
      { property: 'og:type', content: 'website' },
      { property: 'og:title', content: name },
      { property: 'og:locale', content: openGraphLocales[context.localeState.locale] },
      ...(addresses ? [{ property: 'og:url', content: addresses.canonical }] : []),
      ...(context.page.requestId ? [{ name: 'request-id', content: context.page.requestId }] : []),
      ...(description ? descriptionTags(description) : []),
      ...imageTags(context, settings?.seo.ogImagePublicUrl ? { url: settings.seo.ogImagePublicUrl, alt: name } : null),
    ],
    links: [
      { rel: 'icon', href: favicon },
      { rel: 'manifest', href: '/manifest.webmanifest' },
      ...(addresses ? [{ rel: 'canonical', href: addresses.canonical }] : []),
      ...(addresses?.alternates ?? []).map(({ hreflang, href }) => ({ rel: 'alternate', hrefLang: hreflang, href })),
    ],
  }
}

interface PageMeta {
  title: string | MessageDescriptor
  description?: string | null | undefined
  /** Replaces the store's own picture. */
  image?: SharedPicture | null | undefined
  type?: 'website' | 'article' | 'video.other' | 'product'
  /** Keeps this page out of search engines regardless of the settings. */
  noindex?: boolean | undefined
}

/**
 * The title of the home page: `seo.title`, or the store's name.
 * @param picture used where the settings name no picture
 */
export function homeHead(context: HeadContext, picture: SharedPicture | null = null) {
  const settings = settingsOf(context)
  const title = settings?.seo.title
  const name = isPresent(title) ? title : siteName(settings)
  const pagePicture = settings?.seo.ogImagePublicUrl ? null : picture
  return {
    meta: [
      { title: name },
      { property: 'og:title', content: name },
      ...(pagePicture ? imageTags(context, { ...pagePicture, alt: name }) : []),
    ],
  }
}

/** A page's own title, description and picture. The store's name is appended to the title. */
export function pageHead(context: HeadContext, { title, description, image, type, noindex }: PageMeta) {
  const text = typeof title === 'string' ? title : context.i18n._(title)
  const meta: HeadTag[] = [
    { title: `${text} · ${siteName(settingsOf(context))}` },
    { property: 'og:title', content: text },
    ...(description ? descriptionTags(description) : []),
    ...(type ? [{ property: 'og:type', content: type }] : []),
    ...(image ? imageTags(context, { ...image, alt: image.alt || text }) : []),
    ...(noindex ? [{ name: 'robots', content: 'noindex,nofollow' }] : []),
  ]
  return { meta }
}

const descriptionTags = (description: string): HeadTag[] => [
  { name: 'description', content: description },
  { property: 'og:description', content: description },
]

const imageTags = (context: HeadContext, picture: SharedPicture | null): HeadTag[] =>
  shareImageTags(picture, (url) => absoluteUrl(url, baseOf(settingsOf(context), context.page.origin)))

/**
 * The canonical URL in the language shown, without a language where the page is not translated into
 * it, and the alternates.
 */
function addressesOf(context: HeadContext, settings: SiteSettings, page: HeadPage) {
  const { prefixed, locale } = context.localeState
  const base = baseOf(settings, context.page.origin)
  const languages = languagesOf(settings, page.content)
  const path = canonicalPath(page)
  return {
    canonical: absoluteUrl(path, base, prefixed && languages.includes(locale) ? locale : undefined),
    alternates: alternatesOf(path, base, languages),
  }
}

/** The full URL of a path, in the language of the current address. */
export function addressOf(context: HeadContext, path: string): string {
  const { prefixed, locale } = context.localeState
  return absoluteUrl(path, baseOf(settingsOf(context), context.page.origin), prefixed ? locale : undefined)
}
