import { createMiddleware } from '@tanstack/react-start'
import { setCookie } from '@tanstack/react-start/server'
import { isbot } from 'isbot'
import { consolePath } from '#contract/http.ts'
import { urlOf } from '#contract/request-url.ts'
import {
  type ApiBinding,
  type Caller,
  createApiProxy,
  createCustomerApi,
  createInstallationApi,
} from '~/platform/api/client'
import { dayMilliseconds } from '~/platform/constants'
import { cookieName, cookieOptions, readCookies } from '~/platform/cookies'
import { environment } from '~/platform/environment'
import { fallbackLocale, isLocale, languageHeader, locales, negotiateLocale, prefixOf } from '~/platform/i18n/locales'
import { isStillOwner, resolveCustomer } from '~/platform/tenant/resolve'
import { missingCustomerPage } from './bare-page'
import { createTenantReads, type RequestContext } from './request-context'
import { securityMiddleware } from './security-middleware'
import { deleteHostCookie, hostCookieIn, renameHostCookies, writeHostCookie } from './server-session'

/** The longest session of the API, which ends sessions itself. Milliseconds. */
const longestSession = 30 * dayMilliseconds

/** Resolves tenant, language and caller once, before anything else reads the request. */
export const requestContextMiddleware = createMiddleware()
  .middleware([securityMiddleware])
  .server(async ({ next, request, context, handlerType }) => {
    const { api: binding, requestApi, clientAddress, report = {}, requestId, nonce, policy } = context
    const url = urlOf(request)
    const https = url.protocol === 'https:' || environment.publicUrl?.startsWith('https:') === true
    const cookies = readCookies(request.headers.get('cookie'))
    if (handlerType === 'router' && request.method === 'GET' && url.searchParams.has(previewParam)) {
      return followPreviewLink(url, https)
    }
    const caller: Caller = {
      api: requestApi,
      origin: url.origin,
      requestId,
      clientAddress,
      userAgent: request.headers.get('user-agent') ?? undefined,
      token: tokenOf(hostCookieIn(cookies, 'token').value),
      guestToken: tokenOf(hostCookieIn(cookies, 'guest').value),
      deviceToken: tokenOf(hostCookieIn(cookies, 'device').value),
      previewToken: tokenOf(hostCookieIn(cookies, 'preview', { prefixedOnly: https }).value),
      onGuestToken: (token) => {
        writeHostCookie('guest', token, cookieOptions.guest(https))
        setCookie(cookieName.knownVisitor, '1', cookieOptions.knownVisitor(https))
      },
      onDeviceToken: (token) => writeHostCookie('device', token, cookieOptions.device(https)),
    }

    if (!isSharedFile(url.pathname))
      renameHostCookies(cookies, {
        token: cookieOptions.token(https, new Date(Date.now() + longestSession)),
        guest: cookieOptions.guest(https),
        device: cookieOptions.device(https),
        join: cookieOptions.join(https),
      })

    const storeOf = async () => {
      const customerCode = await resolveCustomer(
        { host: url.host, cookie: cookies.get(cookieName.customerCode), fallback: environment.defaultCustomerCode },
        createInstallationApi(caller),
      )
      if (!customerCode) return undefined
      const api = createCustomerApi(customerCode, caller)
      return { customerCode, api, tenant: createTenantReads(api, customerCode, caller, binding) }
    }
    let store = await storeOf()
    const status = await store?.tenant.contract()
    if (status?.ok && !isStillOwner(url.host, status.data.hostCustomerCode)) store = await storeOf()
    if (!store) return missingCustomer(handlerType, nonce, requestId)
    // Nothing is sold at the host of the installation's console.
    if (status?.ok && status.data.isInstallation && !isSharedFile(url.pathname)) return openConsole()
    const { customerCode, api, tenant } = store
    if (status?.ok) report.customer = customerCode
    if (cookies.get(cookieName.customerCode) !== customerCode && !isSharedFile(url.pathname)) {
      setCookie(cookieName.customerCode, customerCode, cookieOptions.customerCode(https))
    }

    const prefix = prefixOf(url.pathname)
    const shown = handlerType === 'router' ? null : request.headers.get(languageHeader)
    const hints = {
      prefix: isLocale(shown) ? shown : prefix,
      cookie: cookies.get(cookieName.locale),
      acceptLanguage: request.headers.get('accept-language'),
    }
    const settings = handlerType === 'router' ? await tenant.settings() : undefined
    if (settings && !settings.ok && settings.problem.status === 404)
      return missingCustomer(handlerType, nonce, requestId)
    if (settings?.ok) policy.formOrigins = settings.data.order.paymentOrigins ?? []
    const base = settings?.ok ? settings.data.base : { locales, locale: fallbackLocale }

    const locale = negotiateLocale(hints, base.locales, base.locale)
    // From here on the API gets the page's language, also for the payment provider's page.
    caller.locale = locale

    const requestContext: RequestContext = {
      handlerType,
      customerCode,
      requestId,
      nonce,
      origin: url.origin,
      secure: https,
      hasToken: caller.token !== undefined,
      clearToken: () => {
        caller.token = undefined
        requestContext.hasToken = false
      },
      isAnonymous: [caller.token, caller.guestToken, caller.previewToken].every((token) => token === undefined),
      locale,
      prefixed: prefix !== undefined,
      surface: cookies.get(cookieName.surface),
      crawler: isbot(request.headers.get('user-agent')),
      api,
      apiProxy: createApiProxy(customerCode, caller),
      tenant,
    }
    return next({ context: { requestContext } })
  })

/** A token that a header can carry. A cookie of a neighbouring host may hold anything. */
const tokenOf = (value: string | undefined) => (value && /^[\x21-\x7e]+$/.test(value) ? value : undefined)

/** The search parameter of a preview link. */
const previewParam = 'preview'

/**
 * Stores a preview link's token in a cookie and redirects to the same page without it. The API
 * validates the token with each call. An empty token ends the preview.
 */
function followPreviewLink({ href }: Readonly<URL>, https: boolean): Response {
  const url = new URL(href)
  const token = url.searchParams.get(previewParam) ?? ''
  const [expires = ''] = token.split('.')
  if (token === '') deleteHostCookie('preview')
  if (/^\d{1,12}\.[\w-]{43}(?:\.[\da-f-]{36})?(?:\.t\d{1,12})?$/.test(token))
    writeHostCookie('preview', token, cookieOptions.preview(https, new Date(Number(expires) * 1000)))
  url.searchParams.delete(previewParam)
  // Leading slashes would turn the path into another host.
  const location = url.pathname.replace(/^\/{2,}/, '/') + url.search
  return new Response(null, {
    status: 302,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}

/** Redirects to the console. */
const openConsole = () =>
  new Response(null, { status: 302, headers: { location: consolePath, 'cache-control': 'no-store' } })

/** Files such as robots.txt are stored by shared caches, so they set no cookie. */
const isSharedFile = (pathname: string) => /\.\w+$/.test(pathname)

function missingCustomer(handlerType: 'router' | 'serverFn', nonce: string, requestId: string): Response {
  if (handlerType === 'router') return missingCustomerPage(nonce, requestId)
  const message = 'The customer code is missing.'
  return Response.json({ code: 'BAD_REQUEST', message, errors: {}, requestId }, { status: 400 })
}

/** What the server process passes with each request. */
export interface ServerContext {
  /** The API. The same function for all requests, so caches are keyed by it. */
  api: ApiBinding
  /** The API for the calls of this request, which share lookups. */
  requestApi: ApiBinding
  /** The visitor's IP address, as that process trusts it. */
  clientAddress?: string | undefined
  /** Compresses cached pages. Absent if the platform does. */
  encoder?: PageEncoder | undefined
  /** What the server's log says about the request. */
  report?: { route?: string; customer?: string } | undefined
  /**
   * Called with a document that all guests of the store share, before it is sent. It is valid while
   * the store's version and the owner of the host are the same.
   */
  onSharedDocument?: ((document: SharedDocument, store: SharedDocumentStore) => void) | undefined
}

export interface SharedDocument {
  body: Uint8Array<ArrayBuffer>
  /** The body as it was sent to visitors who accept an encoding. */
  encoded: Map<PageEncoding, Promise<Uint8Array<ArrayBuffer>>>
  /** Milliseconds since 1970. */
  expiresAt: number
}

interface SharedDocumentStore {
  customerCode: string
  version: number
  host: string
  /** The customer code of the host's own tenant. */
  hostCustomerCode: string | null
}

export type PageEncoding = 'br' | 'gzip'

export interface PageEncoder {
  /** Returns the best encoding that a visitor accepts, by the header `accept-encoding`. */
  choose: (accepted: string | null) => PageEncoding | undefined
  encode: (body: Uint8Array, encoding: PageEncoding) => Promise<Uint8Array<ArrayBuffer>>
}

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: ServerContext }
  }
}
