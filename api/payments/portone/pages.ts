import { readFileSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { negotiateLanguage } from '#contract/accept-language.ts'
import type { CustomerId } from '#contract/ids.ts'
import { moneyText } from '#contract/money.ts'
import { type BridgeRequest, bridgeBase, readBridge } from './bridge.ts'
import { type BridgeLanguage, bridgeLanguage, bridgeLanguages, bridgeWords } from './words.ts'

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const [stylesheet, script] = [file('./pay.css'), file('./pay.js')]

export interface PageDeps {
  pageSecret: string
  /** Whether a payment may still be paid, or a card be registered. */
  isOpen: (customerId: CustomerId, reference: string) => Promise<boolean>
}

/** Scripts run from the store and from PortOne, and from a gateway the operator has named: nothing else, and nothing inline. */
const policy = (bridge: BridgeRequest | null) => {
  const origins = bridge ? [new URL(bridge.scriptUrl).origin, ...bridge.gatewayOrigins].join(' ') : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${origins}`.trim(),
    "style-src 'self'",
    // Its window is laid out by style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    `connect-src https://*.portone.io https://*.iamport.co https://*.iamport.kr ${origins}`.trim(),
    `frame-src https: ${origins}`.trim(),
    "form-action 'self' https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const shell = (language: BridgeLanguage, title: string, head: unknown, body: unknown) =>
  html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex,nofollow" />
    <title>${title}</title>
    <link rel="stylesheet" href="${bridgeBase}/pay.css" />
    ${head}
  </head>
  <body>${body}</body>
</html>`

const bridgePage = (bridge: BridgeRequest) => {
  const language = bridgeLanguage(bridge.locale)
  const words = bridgeWords(language)
  const { kind, request, returnUrl, title } = bridge
  const amount = kind === 'PAYMENT' ? { amount: Number(request.totalAmount), currency: String(request.currency) } : null
  return shell(
    language,
    words.titles[kind],
    html`<script src="${bridge.scriptUrl}" defer></script><script src="${bridgeBase}/pay.js" defer></script>`,
    html`<main data-bridge="${JSON.stringify({ kind, request, returnUrl })}">
      <h1>${words.titles[kind]}</h1>
      ${title ? html`<p class="title">${title}</p>` : ''}
      ${amount ? html`<p class="amount">${moneyText(amount, language)}</p>` : ''}
      <p data-opening>${words.opening}</p>
      <p role="alert" hidden>${words.blocked}</p>
      ${raw('<noscript>')}<p>${words.noScript}</p>${raw('</noscript>')}
      <div class="acts"><button type="button">${words.open}</button><a href="${returnUrl}">${words.back}</a></div>
    </main>`,
  )
}

const messagePage = (language: BridgeLanguage, message: 'finished' | 'missing', back: string) => {
  const words = bridgeWords(language)
  const title = words[`${message}Title`]
  return shell(
    language,
    title,
    '',
    html`<main><h1>${title}</h1><p>${words[message]}</p><div class="acts"><a href="${back}">${words.back}</a></div></main>`,
  )
}

/** The pages on which PortOne's script opens its window, below `/pay/portone`: it has no page of its own to send people to. */
export const createPortOnePages = ({ pageSecret, isOpen }: PageDeps) => {
  const pages = new Hono()
  const asset = (path: string, type: string, body: string) =>
    pages.get(path, (context) =>
      context.body(body, 200, { 'content-type': type, 'cache-control': 'public, max-age=300' }),
    )
  asset('/pay.css', 'text/css; charset=utf-8', stylesheet)
  asset('/pay.js', 'text/javascript; charset=utf-8', script)

  const dress = (context: Context, bridge: BridgeRequest | null) => {
    context.header('content-security-policy', policy(bridge))
    context.header('referrer-policy', 'strict-origin-when-cross-origin')
    context.header('cache-control', 'no-store')
  }

  pages.get('/:sealed', async (context) => {
    const bridge = readBridge(pageSecret, context.req.param('sealed'))
    const open = bridge ? await isOpen(bridge.customerId, bridge.reference) : false
    dress(context, open ? bridge : null)
    if (!bridge) {
      const language = negotiateLanguage(context.req.header('accept-language'), bridgeLanguages, 'en')
      return context.html(messagePage(language, 'missing', '/'), 404)
    }
    if (!open) return context.html(messagePage(bridgeLanguage(bridge.locale), 'finished', bridge.returnUrl), 410)
    return context.html(bridgePage(bridge))
  })
  return pages
}
