import type { SitemapAnswer } from '#contract/catalog.ts'
import type { CustomerApi } from '~/platform/api/client'
import { type Locale, withPrefix } from '~/platform/i18n/locales'

type Video = NonNullable<SitemapAnswer['items'][number]['video']>

interface Entry {
  path: string
  changed?: string
  video?: Video | null
}

/** A part of a sitemap; `parts` are its products, a thousand in each. Part 0 are the store's own pages. */
export interface Sitemap {
  parts: number
  entries: Entry[]
}

const mostNotices = 100

/** The store's own pages, and how many parts of products there are. Where it is one, its products are among them. */
export async function readFirstPart(api: CustomerApi): Promise<Sitemap> {
  const [pages, notices, products] = await Promise.all([
    api.content.pages(),
    api.content.notices({ page: 1, size: mostNotices }),
    api.catalog.sitemap({ page: 1 }),
  ])
  const own: Entry[] = [
    { path: '/' },
    { path: '/products' },
    { path: '/videos' },
    { path: '/notices' },
    { path: '/faq' },
    ...pages.items.map(({ type }) => ({ path: `/pages/${type}` })),
    ...notices.items.map(({ id, createdAt }) => ({ path: `/notices/${id}`, changed: createdAt })),
  ]
  return { parts: products.pages, entries: products.pages > 1 ? own : [...own, ...entriesOf(products)] }
}

/** A part of the products, from 1. */
export async function readPart(api: CustomerApi, part: number): Promise<Sitemap> {
  const products = await api.catalog.sitemap({ page: part })
  return { parts: products.pages, entries: entriesOf(products) }
}

const entriesOf = ({ items }: SitemapAnswer): Entry[] =>
  items.map(({ code, createdAt, video }) => ({ path: `/products/${code}`, changed: createdAt, video }))

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n'
const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Which parts there are, for a store whose products do not fit into one. */
export function sitemapIndexXml(parts: number, base: string): string {
  const places = Array.from({ length: parts + 1 }, (_, part) => new URL(`/sitemap.xml?part=${part}`, base).href)
  return `${xml}<sitemapindex xmlns="${schema}">
${places.map((place) => `<sitemap><loc>${escaped(place)}</loc></sitemap>`).join('\n')}
</sitemapindex>
`
}

/** Addresses with their other languages, and what everybody may see of their videos. */
export function sitemapXml(entries: readonly Entry[], base: string, locales: readonly Locale[]): string {
  const address = (path: string) => escaped(new URL(path, base).href)
  const alternates = (path: string) =>
    locales.length < 2
      ? ''
      : locales
          .map((l) => `<xhtml:link rel="alternate" hreflang="${l}" href="${address(withPrefix(path, l))}"/>`)
          .join('')
  const videoOf = ({ title, summary, poster, preview, durationSeconds }: Video) =>
    [
      `<video:video><video:thumbnail_loc>${address(poster)}</video:thumbnail_loc>`,
      `<video:title>${escaped(title)}</video:title><video:description>${escaped(summary || title)}</video:description>`,
      `<video:content_loc>${address(preview)}</video:content_loc>`,
      `<video:duration>${Math.max(1, durationSeconds)}</video:duration></video:video>`,
    ].join('')
  const urls = entries.map(
    ({ path, changed, video }) =>
      `<url><loc>${address(path)}</loc>${changed ? `<lastmod>${changed.slice(0, 10)}</lastmod>` : ''}${alternates(path)}${video ? videoOf(video) : ''}</url>`,
  )
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
