import { html } from 'hono/html'
import { directionOf } from '#contract/direction.ts'
import type { Locale } from '#contract/enumerations.ts'

interface PageHead {
  title: string
  /** The address of the stylesheet. */
  stylesheet: string
  /** The address of an SVG favicon. */
  icon?: string
  scripts?: unknown
}

/**
 * Returns the beginning of a page that is not part of a storefront, up to the end of its head.
 * Search engines are asked not to list the page.
 */
export const pageStart = (locale: Locale, { title, stylesheet, icon, scripts = '' }: PageHead) => html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${icon ? html`<link rel="icon" href="${icon}" type="image/svg+xml" />` : ''}
    <link rel="stylesheet" href="${stylesheet}" />
    ${scripts}
  </head>`
