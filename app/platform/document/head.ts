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

/** A tag without content takes the place of one of the same name further up, and is not printed. */
export type HeadTag = Record<string, string | undefined>

/** A picture with its size where it is known, as the picture of a product, or as settings name it. */
export type SharedPicture = Pick<Picture, 'url' | 'alt'> & Partial<Pick<Picture, 'width' | 'height'>>

const types: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif' },
  ...{ gif: 'image/gif', svg: 'image/svg+xml' },
}
const typeOf = (url: string) => types[/\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '']

/**
 * The tags of the picture that stands for a page where its address is shared. Stored pictures are given as JPEG of one size, which
 * every site can show; pictures elsewhere stay as they are.
 *
 * @param toAbsolute makes a full address of one of this store.
 */
function shareImageTags(picture: SharedPicture | null, toAbsolute: (url: string) => string): HeadTag[] {
  const stored = picture && sharePictureUrl(picture.url)
  const url = stored ?? picture?.url
  const size = stored ? shareSize : picture
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

/** What every route's `head` is given by the router's context. */
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

/** The store's name: as its base settings have it, or the product's. Every page's title ends with it. */
export const siteName = (settings: SiteSettings | undefined): string => {
  const name = settings?.base.name
  return isPresent(name) ? name : defaultProductName
}

const notFoundTitle = msg`Page not found`

/** The page of a document: its address, and whether its text is the store's own content. */
export interface HeadPage extends CanonicalPage {
  content: { translated?: readonly Locale[] | undefined } | null
}

/**
 * The tags of every document. A page's own tags of the same name take their place.
 *
 * @param page null where there is no such page: it is named by no address and by no language.
 */
export function siteHead(context: HeadContext, page: HeadPage | null) {
  const found = page !== null
  const settings = settingsOf(context)
  const name = siteName(settings)
  const description = settings?.seo.description
  const addresses = page && settings ? addressesOf(context, settings, page) : null
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
      ...(addresses ? [{ property: 'og:url', content: addresses.canonical }] : []),
      ...(context.page.requestId ? [{ name: 'request-id', content: context.page.requestId }] : []),
      ...(description ? describedBy(description) : []),
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

interface PageWords {
  title: string | MessageDescriptor
  description?: string | null | undefined
  /** In place of the store's own. */
  image?: SharedPicture | null | undefined
  type?: 'website' | 'article' | 'video.other' | 'product'
  /** Keep this page out of search engines, whatever the settings say. */
  noindex?: boolean | undefined
}

/**
 * The home page is titled as search engines are to call the store (`seo.title`), or by the store's name.
 *
 * @param picture stands for the store where its settings name no picture.
 */
export function homeHead(context: HeadContext, picture: SharedPicture | null = null) {
  const settings = settingsOf(context)
  const title = settings?.seo.title
  const name = isPresent(title) ? title : siteName(settings)
  const own = settings?.seo.ogImagePublicUrl ? null : picture
  return {
    meta: [
      { title: name },
      { property: 'og:title', content: name },
      ...(own ? imageTags(context, { ...own, alt: name }) : []),
    ],
  }
}

/** A page's own title, description and picture. The title ends with the store's name. */
export function pageHead(context: HeadContext, { title, description, image, type, noindex }: PageWords) {
  const words = typeof title === 'string' ? title : context.i18n._(title)
  const meta: HeadTag[] = [
    { title: `${words} · ${siteName(settingsOf(context))}` },
    { property: 'og:title', content: words },
    ...(description ? describedBy(description) : []),
    ...(type ? [{ property: 'og:type', content: type }] : []),
    ...(image ? imageTags(context, { ...image, alt: image.alt || words }) : []),
    ...(noindex ? [{ name: 'robots', content: 'noindex,nofollow' }] : []),
  ]
  return { meta }
}

const describedBy = (description: string): HeadTag[] => [
  { name: 'description', content: description },
  { property: 'og:description', content: description },
]

const imageTags = (context: HeadContext, picture: SharedPicture | null): HeadTag[] =>
  shareImageTags(picture, (url) => absoluteUrl(url, baseOf(settingsOf(context), context.page.origin)))

/** The address of a page in the language it is shown in, or without one where it is not translated into that language. */
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

/** The full address of a path of this store, in the language its address names. */
export function addressOf(context: HeadContext, path: string): string {
  const { prefixed, locale } = context.localeState
  return absoluteUrl(path, baseOf(settingsOf(context), context.page.origin), prefixed ? locale : undefined)
}
