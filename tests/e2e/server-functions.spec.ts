import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { builtServerFunctions } from '#tests/support/server-functions.ts'

// Every server function as the build lists it, called past the pages: a new one cannot be
// forgotten.

const functions = builtServerFunctions(join(import.meta.dirname, '../../dist/server'))

const id = '0199a000-0000-7000-8000-000000000001'
const paging = { page: 1, size: 12 }
const order = { code: '20261121-7F3K9Q' }
const inquiry = { code: 'Q-7F3K9Q' }
const idempotencyKey = 'an-idempotency-key'
/** Those that need a member, each with an input it could work with. */
const forMembers: Record<string, object> = {
  getOrders: paging,
  getOrder: order,
  getPlacedOrder: order,
  getPaidProducts: paging,
  getLikedProducts: paging,
  setLiked: { id, liked: true },
  likeProduct: { id, liked: true },
  addComment: { id, body: 'Hello' },
  editComment: { id, commentId: id, body: 'Hello' },
  deleteComment: { id, commentId: id },
  reportComment: { id, commentId: id, reason: 'SPAM' },
  confirmPayment: { id },
  getCards: {},
  registerCard: { idempotencyKey },
  confirmCard: { id },
  makeCardDefault: { id },
  removeCard: { id },
  getSubscription: {},
  getSubscriptionProducts: paging,
  getSubscriptionHistory: paging,
  beginSubscription: { idempotencyKey, planId: id, price: { amount: 599, currency: 'USD' } },
  confirmSubscription: { id },
  getQuote: { planId: id },
  setPlan: { idempotencyKey, planId: id },
  cancelSubscription: {},
  resumeSubscription: {},
  retryRenewal: { idempotencyKey },
  getReceipt: order,
  payOrderBy: { idempotencyKey, ...order, method: 'CARD' },
  requestCancel: { idempotencyKey, request: { ...order, reason: 'By mistake' } },
  withdrawCancelRequest: order,
  setRefundAccount: {
    idempotencyKey,
    account: { ...order, refundAccount: { bank: 'Harbor Bank', number: '110222333444', holder: 'Mina Park' } },
  },
  getProfile: {},
  changeProfile: { name: 'Mina Park' },
  changePassword: { currentPassword: 'a-password-of-old', newPassword: 'Another-Passw0rd-9' },
  getSessions: {},
  endSession: { id },
  endOtherSessions: {},
  getWithdrawal: {},
  withdraw: { password: 'a-password-of-old' },
  getInquiryTypes: {},
  getInquiries: paging,
  getInquiry: inquiry,
  createInquiry: { type: 'ETC', title: 'No sound', body: 'Lesson 2 plays without sound.' },
  replyToInquiry: { ...inquiry, body: 'Thank you' },
  payOrder: {
    idempotencyKey,
    method: 'CARD',
    place: { buyNow: { productId: id, optionId: id }, refundPolicyVersion: '1' },
  },
}

/** Plain values in the wire format. */
const encode = (value: unknown): object => {
  if (typeof value === 'string') return { t: 1, s: value }
  if (typeof value === 'number') return { t: 0, s: value }
  if (typeof value === 'boolean') return { t: 2, s: value ? 2 : 3 }
  const entries = Object.entries(value as object)
  return { t: 10, i: 0, p: { k: entries.map(([key]) => key), v: entries.map(([, inner]) => encode(inner)) }, o: 0 }
}
const written = (data: unknown) => JSON.stringify({ t: encode({ data }), f: 63, m: [] })

type Send = { body?: string; site?: string }

/**
 * Calls a function with the method it answers. The bare address shows a store, and every resolver
 * knows it.
 */
const caller =
  (baseURL: string | undefined) =>
  async (fn: string, { body, site = 'same-origin' }: Send = {}) => {
    const address = `http://127.0.0.1:${new URL(baseURL!).port}/_serverFn/${fn}`
    const headers = { 'sec-fetch-site': site, 'x-tsr-serverfn': 'true', 'content-type': 'application/json' }
    const bare = await fetch(address, { headers })
    const query = body === undefined ? '' : `?payload=${encodeURIComponent(body)}`
    const answer =
      bare.status === 405
        ? await fetch(address, { method: 'POST', headers, body: body ?? '' })
        : await fetch(address + query, { headers })
    return { status: answer.status, text: await answer.text() }
  }

const saysNothingOfItself = (text: string) =>
  expect(text).not.toMatch(/\bat \S+ ?\(|\.[cm]?[jt]s:\d|node_modules|Error:/)

test('the build lists the server functions, those that need a member among them', () => {
  expect(functions.length).toBeGreaterThan(30)
  expect(Object.keys(forMembers).filter((name) => functions.every((fn) => fn.name !== name))).toEqual([])
})

test('every server function answers only its own origin', async ({ baseURL }) => {
  const call = caller(baseURL)
  for (const { id: fn, name } of functions)
    for (const site of ['cross-site', 'same-site']) {
      const answer = await call(fn, { site })
      expect(answer.status, `${name} ${site}`).toBe(403)
      saysNothingOfItself(answer.text)
    }
})

test('every server function answers invalid input with 400 and no internals', async ({ baseURL }) => {
  const call = caller(baseURL)
  const nonsense = ['{"t":', '[]', written({ id: 7, code: 7, page: 'x', q: 7, email: 7 })]
  for (const { id: fn, name } of functions)
    for (const body of nonsense) {
      const answer = await call(fn, { body })
      // What takes no input has nothing to refuse but a guest, and what forgives an address
      // forgives this too.
      expect(name in forMembers ? [400, 401] : [200, 400], `${name} ${body}: ${answer.text}`).toContain(answer.status)
      saysNothingOfItself(answer.text)
    }
})

test('every server function that needs a member asks a guest to sign in', async ({ baseURL }) => {
  const call = caller(baseURL)
  for (const { id: fn, name } of functions) {
    const input = forMembers[name]
    if (!input) continue
    const answer = await call(fn, { body: written(input) })
    expect(answer.status, `${name}: ${answer.text}`).toBe(401)
    saysNothingOfItself(answer.text)
  }
})

test('ten megabytes to any page or call of a page are refused with 413', async ({ baseURL }) => {
  const body = 'x'.repeat(10_000_000)
  const large = { '/api/inquiry-files': 401, '/mypages/inquiries/input': 303 }
  for (const path of ['/', '/login', '/carts', '/api/approval', `/_serverFn/${functions[0]?.id}`, '/no/such/page']) {
    const address = `http://127.0.0.1:${new URL(baseURL!).port}${path}`
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      // A stream has no Content-Length, so its bytes are counted.
      const stream = new Blob([body]).stream()
      const streamed = {
        method: 'POST',
        headers: { 'content-type': type },
        body: stream,
        duplex: 'half',
      } as RequestInit
      expect((await fetch(address, streamed)).status, `${path} ${type}`).toBe(413)
    }
  }
  for (const [path, status] of Object.entries(large)) {
    const address = `http://127.0.0.1:${new URL(baseURL!).port}${path}`
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(address, {
      method: 'POST',
      headers,
      body: `--x\r\n${body.slice(0, 300_000)}`,
      redirect: 'manual',
    })
    expect(answer.status, path).toBe(status)
  }
})

test('bodies that are slow to parse are refused with 400 and no internals', async ({ baseURL }) => {
  const [deep, wide] = ['['.repeat(130_000) + ']'.repeat(130_000), `[${'{},'.repeat(80_000)}{}]`]
  const fields = 'a&'.repeat(130_000)
  const form = 'application/x-www-form-urlencoded'
  for (const [path, type, body] of [
    [`/_serverFn/${functions[0]?.id}`, 'application/json', deep],
    [`/_serverFn/${functions[0]?.id}`, 'application/json', wide],
    ['/api/approval', 'application/json', deep],
    ['/login', form, fields],
    ['/login', form, `email=${'x'.repeat(200_000)}&password=x`],
    ['/carts', form, fields],
  ] as const) {
    const origin = `http://127.0.0.1:${new URL(baseURL!).port}`
    const headers = { 'content-type': type, origin, 'sec-fetch-site': 'same-origin' }
    const answer = await fetch(origin + path, { method: 'POST', headers, body, redirect: 'manual' })
    expect(answer.status, `${path} ${body.slice(0, 20)}`).toBe(400)
    const text = await answer.text()
    expect(text.length).toBeLessThan(100_000)
    if (!type.startsWith(form)) saysNothingOfItself(text)
  }
})

test('a form with a character that cannot be stored is refused without a server error', async ({ baseURL }) => {
  const origin = `http://127.0.0.1:${new URL(baseURL!).port}`
  for (const [path, body] of [
    ['/login', 'email=a%00b@example.com&password=x%00y'],
    [
      '/join/input',
      'email=a%00b@example.com&password=Another-Passw0rd-9&name=%00&agreeTerms=on&agreePrivacy=on&isOldEnough=on',
    ],
    ['/reset-password?key=%00', 'password=Another%00-Passw0rd-9'],
    ['/carts', 'intent=add&productId=%00&optionId=%00'],
  ] as const) {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin,
      'sec-fetch-site': 'same-origin',
      cookie: 'locale=%00; surface=%00; customerCode=%00; join=a%00b; guest=a%00b; token=a%00b',
    }
    const answer = await fetch(origin + path, { method: 'POST', headers, body, redirect: 'manual' })
    expect(answer.status, path).toBeLessThan(500)
  }
})
