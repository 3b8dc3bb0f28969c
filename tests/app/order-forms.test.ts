import { ORPCError } from '@orpc/client'
import { expect, it, vi } from 'vitest'
import { handleOrderForm, receiptPdf } from '~/features/orders/orders.server'
import { handleUpload } from '~/features/support/inquiry-form.server'
import type { RequestContext } from '~/platform/request/request-context'

const origin = 'https://store.example'
const code = '20261121-7F3K9Q'
const page = `/mypages/order-histories/${code}`
const item = '0199a000-0000-7000-8000-000000000001'
const requestContext = { requestId: 'a-test' } as RequestContext

const form = (fields: [string, string][]) =>
  new Request(origin + page, { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) })
const send = async (fields: [string, string][], given: RequestContext = requestContext, named = code) => {
  const answer = await handleOrderForm(form(fields), named, given)
  return [answer.status, answer.headers.get('location')]
}

it.each<[string, [string, string][]]>([
  ['nothing', []],
  ['no intent we know', [['intent', 'steal']]],
  [
    'a payment without its idempotency key',
    [
      ['intent', 'pay'],
      ['method', 'CARD'],
    ],
  ],
  [
    'an account without its number',
    [
      ['intent', 'account'],
      ['idempotencyKey', 'an-idempotency-key'],
      ['bank', 'Hanbit'],
    ],
  ],
])('a form of an order with %s redirects to it with VALIDATION_FAILED', async (_, fields) => {
  expect(await send(fields)).toEqual([303, `${page}?problem=VALIDATION_FAILED`])
})

it('an invalid order code redirects to the list of orders', async () => {
  expect(await send([], requestContext, '//evil.example')).toEqual([303, '/mypages/order-histories'])
})

it.each(['UNAUTHORIZED', 'SESSION_EXPIRED'])('a form refused with %s leads to sign in and back', async (refusal) => {
  const withdrawCancelRequest = async () => {
    throw new ORPCError(refusal, { status: 401 })
  }
  const guest = { ...requestContext, api: { billing: { withdrawCancelRequest } } } as unknown as RequestContext
  const request = new Request(`${origin}${page}?cancel=all&problem=GONE`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ intent: 'withdraw' }),
  })
  const answer = await handleOrderForm(request, code, guest)
  const back = encodeURIComponent(`${page}?cancel=all`)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/login?redirect=${back}`])
})

it('a form of another site is refused', async () => {
  const foreign = new Request(origin + page, { method: 'POST', headers: { origin: 'https://evil.example' } })
  expect((await handleOrderForm(foreign, code, requestContext)).status).toBe(403)
})

it('a refund request sends the items, the account and the idempotency key', async () => {
  const requestCancel = vi.fn(async () => ({}))
  const member = { ...requestContext, api: { billing: { requestCancel } } } as unknown as RequestContext
  const fields: [string, string][] = [
    ['intent', 'cancel'],
    ['idempotencyKey', 'an-idempotency-key'],
    ['reason', 'I changed my mind'],
    ['more', ' It is too long. '],
    ['itemIds', item],
    ['bank', 'Hanbit Bank'],
    ['number', '110-222-333444'],
    ['holder', 'Alex Moreau'],
  ]
  expect(await send(fields, member)).toEqual([303, page])
  expect(requestCancel).toHaveBeenCalledExactlyOnceWith(
    {
      code,
      reason: 'I changed my mind\nIt is too long.',
      itemIds: [item],
      refundAccount: { bank: 'Hanbit Bank', number: '110-222-333444', holder: 'Alex Moreau' },
    },
    { context: { idempotencyKey: 'an-idempotency-key-cancel' } },
  )
})

const upload = (headers: Record<string, string>, given: Partial<RequestContext>) =>
  handleUpload(new Request(`${origin}/api/inquiry-files`, { method: 'POST', headers, body: 'the file' }), {
    ...requestContext,
    ...given,
  } as RequestContext)
const multipart = 'multipart/form-data; boundary=x'

it('an upload is refused from other sites, from guests and with another content type', async () => {
  const evil = 'https://evil.example'
  expect((await upload({ origin: evil, 'content-type': multipart }, { hasToken: true })).status).toBe(403)
  expect((await upload({ origin, 'content-type': multipart }, { hasToken: false })).status).toBe(401)
  expect((await upload({ origin, 'content-type': 'image/png' }, { hasToken: true })).status).toBe(415)
})

it('an upload is proxied unchanged, without headers of the browser except its type', async () => {
  const apiProxy = vi.fn(async (_path: string, init?: RequestInit) => {
    const sent = await new Response(init?.body as ReadableStream).text()
    return Response.json({ sent }, { status: 201, headers: { 'set-cookie': 'token=of-somebody' } })
  })
  const answer = await upload({ origin, 'content-type': multipart, cookie: 'token=mine' }, { hasToken: true, apiProxy })
  expect([answer.status, await answer.json()]).toEqual([201, { sent: 'the file' }])
  expect(answer.headers.get('set-cookie')).toBeNull()
  const [path, init] = apiProxy.mock.calls[0]!
  expect([path, init?.headers]).toEqual(['/inquiries/files', { 'content-type': multipart }])
})

it('a receipt is a file for its member, and a redirect to its page for all others', async () => {
  const pdf = async (named: string, given: Partial<RequestContext>) => {
    const answer = await receiptPdf(named, { ...requestContext, locale: 'ko', ...given } as RequestContext)
    return [answer.status, answer.headers.get('location') ?? answer.headers.get('content-disposition')]
  }
  const answering = (status: number) => async () =>
    new Response('%PDF', {
      status,
      headers: { 'content-disposition': 'attachment', 'set-cookie': 'token=of-somebody' },
    })
  expect(await pdf('..%2f', { hasToken: true })).toEqual([404, null])
  expect(await pdf(code, { hasToken: false })).toEqual([
    303,
    `/login?redirect=${encodeURIComponent(`${page}/receipt`)}`,
  ])
  expect(await pdf(code, { hasToken: true, apiProxy: answering(404) })).toEqual([303, `${page}/receipt`])
  expect(await pdf(code, { hasToken: true, apiProxy: answering(200) })).toEqual([200, 'attachment'])
})
