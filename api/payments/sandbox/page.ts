import { html, raw } from 'hono/html'
import { markIcon } from './icons.ts'
import type { PageLanguage, Words } from './words.ts'

export type Markup = ReturnType<typeof html>

/** What every page of the sandbox knows. `path` is the page's own address, without the query. */
export interface PageContext {
  language: PageLanguage
  path: string
  /** What the links to other languages keep of the address. */
  query?: Record<string, string>
}

/** The frame of every page. */
export const shell = (context: PageContext, words: Words, title: string, body: Markup) =>
  html`<!doctype html>
<html lang="${context.language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="/sandbox/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/sandbox/pay.css" />
  </head>
  <body>
    <header class="bar">
      <span class="brand">${raw(markIcon)}<span>Marquee Pay</span><span class="badge">${words.sandbox}</span></span>
      <nav aria-label="${words.language}">${languageLink(context, 'en', 'English')}${languageLink(context, 'ko', '한국어')}</nav>
    </header>
    ${body}
  </body>
</html>`

const languageLink = (context: PageContext, language: PageLanguage, name: string) =>
  html`<a href="${context.path}?${new URLSearchParams({ ...context.query, lang: language }).toString()}" lang="${language}" hreflang="${language}"${
    context.language === language ? raw(' aria-current="true"') : ''
  }>${name}</a>`
