import { requestTimeout } from '~/platform/constants'
import type { RequestContext } from '~/platform/request/request-context'
import { readOrderCode } from './orders.search'

/** What of the API's answer a browser is told. */
const kept = ['content-type', 'content-length', 'content-disposition']

/** Answers the receipt as PDF, in the page's language, as the API makes it; a guest is asked to sign in. */
export async function answerReceiptPdf(named: string, requestContext: RequestContext): Promise<Response> {
  const code = readOrderCode(named)
  if (!code) return new Response('There is no such receipt.', { status: 404 })
  const page = `/mypages/order-histories/${code}/receipt`
  if (!requestContext.hasToken) return leadTo(`/login?redirect=${encodeURIComponent(page)}`)
  const answer = await requestContext.apiProxy(`/orders/${code}/receipt.pdf?lang=${requestContext.locale}`, {
    signal: AbortSignal.timeout(requestTimeout),
  })
  // What there is to say about a receipt that cannot be had, its page says.
  if (!answer.ok) return leadTo(page)
  const headers = new Headers({ 'cache-control': 'private, no-store' })
  for (const name of kept) {
    const value = answer.headers.get(name)
    if (value) headers.set(name, value)
  }
  return new Response(answer.body, { headers })
}

const leadTo = (location: string) =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
