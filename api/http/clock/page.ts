import { html } from 'hono/html'
import type { Locale } from '#contract/enumerations.ts'
import { clockWords } from './words.ts'

const day = 86_400_000

const top = (language: Locale) => html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <meta name="color-scheme" content="light dark" />
    <title>${clockWords[language].title}</title>
    <link rel="icon" href="/sandbox/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/sandbox/pay.css" />
  </head>
  <body>
    <main class="message">
      <section class="panel">
        <h1>${clockWords[language].title}</h1>`

const bottom = html`</section></main></body></html>`

/** What time it is for the store, and the ways to move it; `ahead` is in milliseconds. */
export const clockPage = (language: Locale, steps: readonly Step[], now: Date, ahead: number) => {
  const words = clockWords[language]
  return html`${top(language)}
        <p role="status"><time datetime="${now.toISOString()}" dir="ltr">${now.toISOString().slice(0, 16).replace('T', ' ')} UTC</time><br />
          ${ahead === 0 ? words.same : words.ahead((ahead / day).toFixed(1))}</p>
        <p class="hint">${words.about}</p>
        <form method="post" action="/sandbox/clock">
          ${steps.map((step) => html`<button class="pay" name="step" value="${step}">${words.steps[step]}</button> `)}
        </form>
      ${bottom}`
}

export type Step = keyof (typeof clockWords)['en']['steps']

/** The page that grows while time passes, in the parts it is sent in. */
export const passingPage = (language: Locale) => {
  const words = clockWords[language]
  return {
    begin: html`${top(language)}<p class="hint">${words.passing}</p><ol role="log">`,
    day: (done: number, of: number, now: Date) => html`<li>${words.day(done, of, now.toISOString().slice(0, 10))}</li>`,
    end: html`</ol><p role="status"><a href="/sandbox/clock">${words.done}</a></p>${bottom}`,
  }
}
