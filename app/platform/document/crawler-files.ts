import type { SitemapAnswer } from '#contract/catalog.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import type { CustomerApi } from '~/platform/api/client'
import type { Locale } from '~/platform/i18n/locales'
import { log } from '~/platform/log'
import { absoluteUrl, alternatesOf, baseOf, canonicalPath, categoryPath, languagesOf } from './addresses'

const minutes = (count: number) => count * 60

/** A file that many readers share, such as robots.txt: kept by caches for some minutes. */
export const sharedFile = (text: string, contentType: string): Response =>
  new Response(text, {
    headers: { 'content-type': `${contentType}; charset=utf-8`, 'cache-control': `public, max-age=${minutes(5)}` },
  })

/** In place of a file that cannot be written now: a crawler comes again later, and takes nothing of it for the store's word. */
export function unavailableFile(requestId: string, error?: unknown): Response {
  log('error', 'A file for crawlers could not be written.', { requestId, error })
  return new Response('This file is not available at the moment. Try again later.\n', {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '60' },
  })
}

/** Pages that say nothing to a search engine. */
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

/** robots.txt as the tenant's settings want it. */
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
  /** The entry's text is the store's own content, with the languages it is translated into. */
  content?: { translated?: readonly Locale[] } | null
}

/** A part of a sitemap; `parts` are its products, a thousand in each. Part 0 are the store's own pages. */
export interface Sitemap {
  parts: number
  entries: Entry[]
}

const mostNotices = 100

/** The store's own pages, and how many parts of products there are. Where it is one, its products are among them. */
export async function readFirstPart(api: CustomerApi, { order }: Pick<SiteSettings, 'order'>): Promise<Sitemap> {
  const [pages, notices, categories, products, plans] = await Promise.all([
    api.content.pages(),
    api.content.notices({ page: 1, size: mostNotices }),
    api.catalog.categories(),
    api.catalog.sitemap({ page: 1 }),
    order.useSubscribe ? api.plans.plans() : { items: [] },
  ])
  const own: Entry[] = [
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
  return { parts: products.pages, entries: products.pages > 1 ? own : [...own, ...entriesOf(products)] }
}

/** A part of the products, from 1. */
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

/** Which parts there are, for a store whose products do not fit into one. */
export function sitemapIndexXml(parts: number, base: string): string {
  const places = Array.from({ length: parts + 1 }, (_, part) => absoluteUrl(`/sitemap.xml?part=${part}`, base))
  return `${xml}<sitemapindex xmlns="${schema}">
${places.map((place) => `<sitemap><loc>${escaped(place)}</loc></sitemap>`).join('\n')}
</sitemapindex>
`
}

/** Addresses with their other languages, and what everybody may see of their videos. */
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

/** One character that XML does not know would cost the whole file. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
