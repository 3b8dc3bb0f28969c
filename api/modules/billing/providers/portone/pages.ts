import { readFileSync } from 'node:fs'
import type { Customer } from '@portone/server-sdk/common'
import { InvalidInputError, verify, WebhookVerificationError } from '@portone/server-sdk/webhook'
import { type Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import type { Buyer, OtherEvent, ProviderEvent, WebhookRefusal } from '#api/modules/billing/providers/provider.ts'
import { decrypt, encrypt } from '#api/platform/crypto.ts'
import { pageStart } from '#api/platform/elements.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { locale as localeSchema } from '#contract/enumerations.ts'
import { apiPages } from '#contract/http.ts'
import { type CustomerId, paymentId } from '#contract/ids.ts'
import { moneyText } from '#contract/money.ts'

const pageTitle = (i18n: I18n, kind: BridgeRequest['kind']) => (kind === 'CARD' ? i18n._('Add a card') : i18n._('Pay'))

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const [stylesheet, script] = [file('./pay.css'), file('./pay.js')]

export interface PageDeps {
  pageSecret: string
  /** Whether a payment can still be paid or a card still be registered. */
  isOpen: (customerId: CustomerId, reference: string) => Promise<boolean>
}

/**
 * Allows scripts of the store, of PortOne and of gateways that the operator has configured. Inline
 * scripts are blocked.
 */
const policy = (bridge: BridgeRequest | null) => {
  const origins = bridge ? [new URL(bridge.scriptUrl).origin, ...bridge.gatewayOrigins].join(' ') : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${origins}`.trim(),
    "style-src 'self'",
    // PortOne's window uses style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    `connect-src https://*.portone.io https://*.iamport.co https://*.iamport.kr ${origins}`.trim(),
    `frame-src https: ${origins}`.trim(),
    "form-action 'self' https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const layout = ({ locale }: I18n, title: string, scripts: unknown, body: unknown) =>
  html`${pageStart(locale, { title, stylesheet: `${bridgeBase}/pay.css`, scripts })}
  <body>${body}</body>
</html>`

const bridgePage = (bridge: BridgeRequest) => {
  const i18n = messagesOf(bridge.locale)
  const { kind, request, returnUrl, title } = bridge
  const amount = kind === 'PAYMENT' ? { amount: Number(request.totalAmount), currency: String(request.currency) } : null
  return layout(
    i18n,
    pageTitle(i18n, kind),
    html`<script src="${bridge.scriptUrl}" defer></script><script src="${bridgeBase}/pay.js" defer></script>`,
    html`<main data-bridge="${JSON.stringify({ kind, request, returnUrl })}">
      <h1>${pageTitle(i18n, kind)}</h1>
      ${title ? html`<p class="title">${title}</p>` : ''}
      ${amount ? html`<p class="amount">${moneyText(amount, i18n.locale)}</p>` : ''}
      <p data-opening>${i18n._('The payment window opens in a moment. You’ll return to the store when you’re done.')}</p>
      <p role="alert" hidden>${i18n._('We couldn’t open the payment window. You haven’t been charged. Try again, or go back and try later.')}</p>
      ${raw('<noscript>')}<p>${i18n._('Turn on JavaScript to open the payment window, or go back and choose another payment method.')}</p>${raw('</noscript>')}
      <div class="acts"><button type="button">${i18n._('Open payment window')}</button><a href="${returnUrl}">${i18n._('Back to store')}</a></div>
    </main>`,
  )
}

const messagePage = (i18n: I18n, title: string, text: string, back: string) =>
  layout(
    i18n,
    title,
    '',
    html`<main><h1>${title}</h1><p>${text}</p><div class="acts"><a href="${back}">${i18n._('Back to store')}</a></div></main>`,
  )

const missingPage = (i18n: I18n) =>
  messagePage(
    i18n,
    i18n._('Page not found'),
    i18n._('The link is incomplete or was changed. Start again from the store.'),
    '/',
  )

const finishedPage = ({ locale, returnUrl }: BridgeRequest) => {
  const i18n = messagesOf(locale)
  const text = i18n._('The payment was completed or closed. See the result in the store.')
  return messagePage(i18n, i18n._('This payment is closed'), text, returnUrl)
}

/**
 * Creates the pages below `/pay/portone` that open PortOne's window, because PortOne has no hosted
 * page.
 */
export const createPortOnePages = ({ pageSecret, isOpen }: PageDeps) => {
  const pages = new Hono()
  const asset = (path: string, type: string, body: string) =>
    pages.get(path, (context) =>
      context.body(body, 200, { 'content-type': type, 'cache-control': 'public, max-age=300' }),
    )
  asset('/pay.css', 'text/css; charset=utf-8', stylesheet)
  asset('/pay.js', 'text/javascript; charset=utf-8', script)

  const setHeaders = (context: Context, bridge: BridgeRequest | null) => {
    context.header('content-security-policy', policy(bridge))
    context.header('referrer-policy', 'strict-origin-when-cross-origin')
    context.header('cache-control', 'no-store')
  }

  pages.get('/:encrypted', async (context) => {
    const bridge = readBridge(pageSecret, context.req.param('encrypted'))
    const open = bridge ? await isOpen(bridge.customerId, bridge.reference) : false
    setHeaders(context, open ? bridge : null)
    if (!bridge) {
      const locale = negotiateLanguage(context.req.header('accept-language'), localeSchema.options, 'en')
      return context.html(missingPage(messagesOf(locale)), 404)
    }
    if (!open) return context.html(finishedPage(bridge), 410)
    return context.html(bridgePage(bridge))
  })
  return pages
}

/** The path of the pages that open PortOne's window. */
const bridgeBase = apiPages.portone

/** A request of a page to PortOne's script, and the URL to which the browser is then redirected. */
export interface BridgeRequest {
  kind: 'PAYMENT' | 'CARD'
  customerId: CustomerId
  reference: string
  locale: string
  title: string
  /** An absolute address of the store. */
  returnUrl: string
  scriptUrl: string
  /** Origins of scripts that the gateway loads. */
  gatewayOrigins: readonly string[]
  /** The argument of `requestPayment` or `requestIssueBillingKey`. */
  request: Record<string, unknown>
}

/**
 * Returns the address of a page. The request is encrypted in it, so that nobody can change the
 * amount.
 */
export const bridgePath = (secret: string, request: BridgeRequest) =>
  `${bridgeBase}/${encrypt(secret, JSON.stringify(request))}`

/** Returns the request in an address, or null if this store did not create it. */
const readBridge = (secret: string, encrypted: string): BridgeRequest | null => {
  try {
    // What the store's secret decrypts, the store has encrypted as a request.
    return JSON.parse(decrypt(secret, encrypted)) as BridgeRequest
  } catch {
    return null
  }
}

/** Korean numbers in national format, others unchanged. */
const phoneNumber = (phone: string | null) => (phone === null ? {} : { phoneNumber: phone.replace(/^\+82/, '0') })

/** A buyer in the format of PortOne's script. */
export const inBrowser = ({ name, email, phone }: Buyer) => ({ fullName: name, email, ...phoneNumber(phone) })

/** A buyer in the format of PortOne's API. */
export const inApi = ({ name, email, phone }: Buyer) => ({ name: { full: name }, email, ...phoneNumber(phone) })

/** The owner of a billing key. The gateway requires it with each charge. */
export const toCustomerInput = ({ id, name, email, phoneNumber: phone }: Customer) => ({
  ...(id ? { id } : {}),
  ...(name ? { name: { full: name } } : {}),
  ...(email ? { email } : {}),
  ...(phone ? { phoneNumber: phone } : {}),
})

/**
 * Reads a PortOne webhook. PortOne's library verifies the signature and the age by the system time.
 */
export const readPortOneEvent = async (
  secret: string,
  storeId: string,
  headers: Headers,
  body: string,
): Promise<ProviderEvent | OtherEvent | WebhookRefusal> => {
  try {
    const event = await verify(secret, body, Object.fromEntries(headers))
    if (!('data' in event) || !('paymentId' in event.data) || event.data.storeId !== storeId) return { code: 'IGNORED' }
    // Other payments of the same PortOne store have ids of a different format.
    const { data: reference } = paymentId.safeParse(event.data.paymentId)
    if (!reference) return { code: 'IGNORED' }
    return { id: headers.get('webhook-id') ?? '', reference, type: event.type }
  } catch (error) {
    if (error instanceof InvalidInputError) throw error
    if (!(error instanceof WebhookVerificationError)) return { code: 'BODY_INVALID' }
    const late = error.reason === 'TIMESTAMP_TOO_OLD' || error.reason === 'TIMESTAMP_TOO_NEW'
    return { code: late ? 'SIGNATURE_TOO_OLD' : 'SIGNATURE_INVALID' }
  }
}
