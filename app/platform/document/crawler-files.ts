import type { SitemapAnswer } from '#contract/catalog.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { CustomerApi } from '~/platform/api/client'
import type { Locale } from '~/platform/i18n/locales'
import { log } from '~/platform/log'
import { absoluteUrl, alternatesOf, baseOf, canonicalPath, categoryPath, languagesOf } from './addresses'

const minutes = (count: number) => count * 60

/** A response that caches may store for minutes, such as robots.txt. */
export const sharedFile = (text: string, contentType: string): Response =>
  new Response(text, {
    headers: { 'content-type': `${contentType}; charset=utf-8`, 'cache-control': `public, max-age=${minutes(5)}` },
  })

/** 503 in place of a file that cannot be made now, so that a crawler tries again later. */
export function unavailableFile(requestId: string, error?: unknown): Response {
  log('error', 'A file for crawlers could not be written.', { requestId, error })
  return new Response('This file is not available at the moment. Try again later.\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '60' },
  })
}

/** Pages that are not for search engines. */
const personal = [
  '/carts',
  '/payments',
  '/mypages',
  '/login',
  '/products/*/watch',
  '/products/*/preview',
  '/api/',
  '/customer/',
]

/** The tenant's robots.txt. */
export function robotsText(settings: SiteSettings, origin: string): string {
  if (!settings.seo.use) return 'User-agent: *\nDisallow: /\n'
  return [
    'User-agent: *',
    ...personal.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${absoluteUrl('/sitemap.xml', baseOf(settings, origin))}`,
    '',
  ].join('\n')
}

type Video = NonNullable<SitemapAnswer['items'][number]['video']>

interface Entry {
  path: string
  changed?: string
  video?: Video | null
  /** Set where the page's text is the store's own content, with its languages. */
  content?: { translated?: readonly Locale[] } | null
}

/**
 * One part of a sitemap. Part 0 has the store's own pages; parts 1 to `parts` have a thousand
 * products each.
 */
export interface Sitemap {
  parts: number
  entries: Entry[]
}

const maxNotices = 100

/**
 * Reads the store's own pages and the number of product parts. A single part's products are
 * included.
 */
export async function readFirstPart(api: CustomerApi, { order }: Pick<SiteSettings, 'order'>): Promise<Sitemap> {
  const [pages, notices, categories, products, plans] = await Promise.all([
    api.content.pages(),
    api.content.notices({ page: 1, size: maxNotices }),
    api.catalog.categories(),
    api.catalog.sitemap({ page: 1 }),
    order.useSubscribe ? api.subscriptions.plans() : { items: [] },
  ])
  const fixedEntries: Entry[] = [
    ...['/', '/products', '/videos', '/notices'].map((route) => ({ path: canonicalPath({ route }) })),
    ...(plans.items.length > 0 ? [{ path: canonicalPath({ route: '/plans' }) }] : []),
    ...plans.items.map(({ code }) => ({
      path: canonicalPath({ route: '/plans/$id/products', params: { id: code } }),
      content: {},
    })),
    { path: canonicalPath({ route: '/faq' }), content: {} },
    ...categories.items.map((category) => ({ path: categoryPath(category) })),
    ...pages.items.map(({ type, locales }) => ({
      path: canonicalPath({ route: '/pages/$type', params: { type } }),
      content: { translated: locales },
    })),
    ...notices.items.map(({ id, createdAt, locales }) => ({
      path: canonicalPath({ route: '/notices/$id', params: { id } }),
      changed: createdAt,
      content: { translated: locales },
    })),
  ]
  return {
    parts: products.pages,
    entries: products.pages > 1 ? fixedEntries : [...fixedEntries, ...entriesOf(products)],
  }
}

/** Reads one part of the products, from 1. */
export async function readPart(api: CustomerApi, part: number): Promise<Sitemap> {
  const products = await api.catalog.sitemap({ page: part })
  return { parts: products.pages, entries: entriesOf(products) }
}

const entriesOf = ({ items }: SitemapAnswer): Entry[] =>
  items.map(({ code, createdAt, video, locales }) => ({
    path: canonicalPath({ route: '/products/$code', params: { code } }),
    changed: createdAt,
    video,
    content: { translated: locales },
  }))

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n'
const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** The sitemap index of a store with more than one part. */
export function sitemapIndexXml(parts: number, base: string): string {
  const places = Array.from({ length: parts + 1 }, (_, part) => absoluteUrl(`/sitemap.xml?part=${part}`, base))
  return `${xml}<sitemapindex xmlns="${schema}">
${places.map((place) => `<sitemap><loc>${escaped(place)}</loc></sitemap>`).join('\n')}
</sitemapindex>
`
}

/** The sitemap's URLs with their alternates and public videos. */
export function sitemapXml(entries: readonly Entry[], base: string, settings: Pick<SiteSettings, 'base'>): string {
  const address = (path: string) => escaped(absoluteUrl(path, base))
  const alternates = ({ path, content = null }: Entry) =>
    alternatesOf(path, base, languagesOf(settings, content))
      .map(({ hreflang, href }) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escaped(href)}"/>`)
      .join('')
  const videoOf = ({ title, summary, poster, preview, durationSeconds }: Video) =>
    [
      `<video:video><video:thumbnail_loc>${address(poster)}</video:thumbnail_loc>`,
      `<video:title>${escaped(title)}</video:title><video:description>${escaped(summary || title)}</video:description>`,
      `<video:content_loc>${address(preview)}</video:content_loc>`,
      `<video:duration>${Math.max(1, durationSeconds)}</video:duration></video:video>`,
    ].join('')
  const urls = entries.map((entry) => {
    const { path, changed, video } = entry
    return `<url><loc>${address(path)}</loc>${changed ? `<lastmod>${changed.slice(0, 10)}</lastmod>` : ''}${alternates(entry)}${video ? videoOf(video) : ''}</url>`
  })
  return `${xml}<urlset xmlns="${schema}" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">
${urls.join('\n')}
</urlset>
`
}

/** Escapes text for XML and drops characters that would make the file invalid. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
