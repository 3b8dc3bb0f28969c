import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { databaseRetrySeconds } from '#api/platform/db/client.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { directionOf } from '#contract/direction.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { headers as headerNames } from '#contract/http.ts'
import type { Problem } from '#contract/problem.ts'
import { requestIdOf } from './request-log.ts'

/** Seconds. */
const retryAfter = 2

const style = `:root{color-scheme:light dark;font-family:system-ui,sans-serif;line-height:1.6}
body{min-height:100dvh;margin:0;display:grid;place-items:center;padding:1.5rem;box-sizing:border-box}
main{max-width:34rem}
h1{font-size:clamp(1.5rem,5vw,2.25rem);line-height:1.2;margin:0 0 .75rem;word-break:keep-all;overflow-wrap:anywhere}
p{margin:0 0 1.25rem}
a{display:inline-block;padding:.75rem 1.25rem;border:1px solid;border-radius:.5rem;color:inherit;text-decoration:none}`

const page = ({ locale }: I18n, { title, text, retry }: Record<'title' | 'text' | 'retry', string>) =>
  Buffer.from(`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main id="main">
<h1>${title}</h1>
<p>${text}</p>
<p><a href="">${retry}</a></p>
</main>
</body>
</html>
`)

const answerIn = (language: Locale) => {
  const i18n = messagesOf(language)
  const retry = i18n._('Try again')
  const title = i18n._('We’re very busy right now')
  const text = i18n._('More people than usual are visiting. Please try again in a moment.')
  const unavailable = page(i18n, {
    title: i18n._('We’ll be right back'),
    text: i18n._('The store can’t be reached at the moment. Please try again shortly.'),
    retry,
  })
  return { page: page(i18n, { title, text, retry }), text, unavailable }
}

/** Made at start, so that a refusal costs nothing. */
const answers = { en: answerIn('en'), ko: answerIn('ko'), ja: answerIn('ja'), ar: answerIn('ar') } satisfies Record<
  Locale,
  unknown
>

const common = {
  'retry-after': String(retryAfter),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-language, cookie',
}

const pageHeaders = {
  ...common,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
}

/** The language of the URL's prefix, else of the cookie, else of the browser. */
const languageFor = ({ url = '', headers }: IncomingMessage): Locale => {
  const chosen = [/^\/(\w\w)(?:[/?]|$)/.exec(url)?.[1], /(?:^|;\s*)locale=(\w\w)\b/.exec(headers.cookie ?? '')?.[1]]
  return (
    locale.options.find((language) => language === chosen[0]) ??
    locale.options.find((language) => language === chosen[1]) ??
    negotiateLanguage(headers['accept-language'], locale.options, 'en')
  )
}

/** The time between two groups of refusals. Milliseconds. */
const interval = 10
/** The fewest refusals sent together. */
const minBatchSize = 4
/** The more refusals wait, the more are sent together: one in this many. */
const waitingPerRefusal = 300

/**
 * Spreads refusals over time. Clients that retry at once, or all at the same moment, would
 * otherwise keep the process busy at the cost of the admitted requests.
 */
export const createRefusals = () => {
  const waiting = new Map<ServerResponse, IncomingMessage>()
  let timer: NodeJS.Timeout | undefined
  const sendSome = () => {
    const max = Math.max(minBatchSize, Math.ceil(waiting.size / waitingPerRefusal))
    let sent = 0
    for (const [response, request] of waiting) {
      if (sent === max) return
      sent++
      waiting.delete(response)
      answerBusy(request, response)
    }
    if (waiting.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
  return (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(response, request)
    response.once('close', () => waiting.delete(response))
    if (timer) return
    sendSome()
    timer = setInterval(sendSome, interval)
  }
}

/** Whether a browser loads a page, rather than a script data. */
export const wantsPage = ({ url = '', headers }: IncomingMessage) =>
  !/^\/(?:api|_serverFn)\//.test(url) && (headers.accept ?? 'text/html').includes('text/html')

/**
 * Answers a refused request with 503: a fixed page in the visitor's language, or the error payload.
 * It costs a fraction of a millisecond.
 */
const answerBusy = (request: IncomingMessage, response: ServerResponse) => {
  const [headers, body] = wantsPage(request) ? [pageHeaders, answers[languageFor(request)].page] : problem(request)
  const ownHeaders = { [headerNames.requestId]: requestIdOf(request), 'content-length': body.byteLength }
  response.writeHead(503, { ...headers, ...ownHeaders })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * Answers a page that cannot be made, because the database is unreachable, with 503: a fixed page
 * in the visitor's language.
 */
export const answerUnavailablePage = (request: IncomingMessage, response: ServerResponse) => {
  const body = answers[languageFor(request)].unavailable
  const own = { [headerNames.requestId]: requestIdOf(request), 'content-length': body.byteLength }
  response.writeHead(503, { ...pageHeaders, 'retry-after': String(databaseRetrySeconds), ...own })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const problem = (request: IncomingMessage): [Record<string, string>, Buffer] => {
  const payload: Problem = {
    code: 'OVERLOADED',
    message: answers[languageFor(request)].text,
    errors: {},
    requestId: requestIdOf(request),
  }
  // Without this header a server function's caller would take the body for a result.
  const headers = { ...common, 'content-type': 'application/json', 'x-tss-raw': 'thrown' }
  return [headers, Buffer.from(JSON.stringify(payload))]
}
