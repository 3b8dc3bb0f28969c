import type { CustomerApi } from '~/platform/api/client'
import { type Locale, withPrefix } from '~/platform/i18n/locales'

interface Entry {
  path: string
  changed?: string
}

const pageSize = 100
/** The protocol allows 50,000 addresses in one file. */
const most = 5_000

/** Every public page of a store, newest products first. */
export async function sitemapEntries(api: CustomerApi): Promise<Entry[]> {
  const [pages, notices] = await Promise.all([api.content.pages(), api.content.notices({ page: 1, size: pageSize })])
  const entries: Entry[] = [
    { path: '/' },
    { path: '/products' },
    { path: '/videos' },
    { path: '/notices' },
    { path: '/faq' },
    ...pages.items.map(({ type }) => ({ path: `/pages/${type}` })),
    ...notices.items.map(({ id, createdAt }) => ({ path: `/notices/${id}`, changed: createdAt })),
  ]
  for (let page = 1; entries.length < most; page++) {
    const found = await api.catalog.search({ sort: 'createdAt,DESC', page, size: pageSize })
    entries.push(...found.items.map(({ code, createdAt }) => ({ path: `/products/${code}`, changed: createdAt })))
    if (page * pageSize >= found.total) break
  }
  return entries.slice(0, most)
}

/** The sitemap, with each page's other languages. */
export function sitemapXml(entries: readonly Entry[], base: string, locales: readonly Locale[]): string {
  const address = (path: string) => escaped(new URL(path, base).href)
  const alternates = (path: string) =>
    locales.length < 2
      ? ''
      : locales
          .map((l) => `<xhtml:link rel="alternate" hreflang="${l}" href="${address(withPrefix(path, l))}"/>`)
          .join('')
  const urls = entries.map(
    ({ path, changed }) =>
      `<url><loc>${address(path)}</loc>${changed ? `<lastmod>${changed.slice(0, 10)}</lastmod>` : ''}${alternates(path)}</url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
