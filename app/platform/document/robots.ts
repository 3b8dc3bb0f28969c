import type { SiteSettings } from '#contract/tenancy.ts'
import { absoluteUrl, baseOf } from './addresses'

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
