import { traverseContractProcedures } from '@orpc/server'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiBase, contract, customerBase, installation } from '#contract/index.ts'
import { problem } from '#contract/problem.ts'
import type { ProcedureMeta } from '#contract/procedures/procedure.ts'
import { createFullTenant, type FullTenant } from '#tests/support/full-tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: FullTenant

beforeAll(async () => {
  tenant = await createFullTenant(api, 'fuzz')
  // What is refused for having come too often was never looked at.
  const take = () => ({ code: 'TAKEN', giveBack: () => Promise.resolve() })
  for (const limit of Object.values(api.deps.limits)) Object.assign(limit, { take })
}, 60_000)

const calls: { name: string; method: string; path: string; of: 'customer' | 'installation'; access: string }[] = []
for (const [of, router] of [
  ['customer', contract],
  ['installation', { installation }],
] as const)
  traverseContractProcedures({ router, path: [] }, ({ contract: call, path }) => {
    const { method = 'GET', path: address = '/' } = call['~orpc'].route
    // Signing out would end the test's own session.
    const name = path.join('.')
    if (!['accounts.logout', 'accounts.endOtherSessions'].includes(name))
      calls.push({ name, method, path: address, of, access: (call['~orpc'].meta as ProcedureMeta).access })
  })

const words = [
  ...[
    'id',
    'productId',
    'productIds',
    'optionId',
    'lessonId',
    'parentId',
    'code',
    'type',
    'q',
    'category',
    'kind',
    'access',
  ],
  ...[
    'priceMin',
    'priceMax',
    'durationMin',
    'durationMax',
    'tag',
    'video',
    'sort',
    'page',
    'size',
    'exposureLimit',
    'body',
  ],
  ...[
    'email',
    'password',
    'liked',
    'reason',
    'version',
    'quantity',
    'cartItemIds',
    'buyNow',
    'expectedTotal',
    'method',
  ],
  ...[
    'refundPolicyVersion',
    'returnUrl',
    'status',
    'from',
    'to',
    'positionSeconds',
    'playedSeconds',
    'at',
    'acceptsFulfillment',
  ],
]

/** Values that have broken parsers, databases and people. */
const nastyValues: unknown[] = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    "'; DROP TABLE products; --",
    '../../etc/passwd',
    '%00',
    '%',
    '\\',
    '"',
    '{{7*7}}',
  ],
  ...[
    '\ud800',
    '💥'.repeat(50),
    'ㅂㄷ',
    "' & | ! ( ) :* <->",
    '__proto__',
    'constructor',
    'NaN',
    'Infinity',
    '-1',
    '1e309',
  ],
  ...['2026-02-30', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '00000000-0000-0000-0000-000000000000'],
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), [], {}, [[]], [null], { '': '' }, ['a\u0000b']],
]
const nasty = fc.oneof(
  fc.constantFrom(...nastyValues),
  fc.string({ maxLength: 300 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
)
const input = fc.dictionary(fc.constantFrom(...words), nasty, { maxKeys: 8 })

/** A right input for each call that takes more than an address, so that one wrong value gets as deep as it can. */
const rightInputs = (): Record<string, Record<string, unknown>> => ({
  'accounts.login': { email: 'someone@example.com', password: 'something' },
  'accounts.changeProfile': {
    name: 'Mina Kang',
    phone: '213 373 4253',
    address: { postcode: '04524', road: 'Sejong-daero 110', detail: '3F' },
    locale: 'ko',
    marketing: true,
  },
  'accounts.changePassword': { currentPassword: 'not the right one', newPassword: 'a long enough word' },
  'accounts.withdraw': { password: 'not the right one', reason: 'Enough' },
  'accounts.searchAddress': { q: '세종대로 110' },
  'joining.requestJoin': {
    email: 'fuzz-join@example.com',
    password: 'a long enough word',
    name: 'Sora Lee',
    phone: '213 373 4253',
    address: { postcode: '04524', road: 'Sejong-daero 110', detail: '3F' },
    agreeTerms: true,
    agreePrivacy: true,
    isOldEnough: true,
    agreeMarketing: false,
  },
  'joining.joinStage': { token: tenant.joinToken },
  'joining.confirmJoin': { token: tenant.joinToken, code: '123456' },
  'joining.join': { token: tenant.joinToken },
  'joining.requestReset': { email: 'fuzz-reset@example.com' },
  'joining.requestSignInLink': { email: 'fuzz-link@example.com' },
  'joining.reset': { password: 'a long enough word' },
  'catalog.search': {
    q: 'fuzz',
    kind: ['VOD'],
    priceMin: 1,
    priceMax: 99_999,
    durationMin: 0,
    durationMax: 900,
    page: 1,
    size: 5,
  },
  'catalog.suggest': { q: 'fuzz' },
  'catalog.sitemap': { page: 1 },
  'catalog.viewerStates': { productIds: [tenant.product.id] },
  'catalog.options': { productIds: [tenant.product.id] },
  'engagement.like': { liked: true },
  'engagement.addComment': { body: 'Hello', parentId: tenant.ids.comment },
  'engagement.editComment': { body: 'Hello' },
  'engagement.reportComment': { reason: 'SPAM' },
  'content.faq': { q: 'fuzz' },
  'installation.resolveTenant': { host: 'store.test' },
  'commerce.addToCart': { productId: tenant.product.id, optionId: tenant.product.optionId, quantity: 1 },
  'commerce.changeCartItem': { optionId: tenant.product.optionId, quantity: 1, version: 1 },
  'commerce.placeOrder': {
    buyNow: { productId: tenant.product.id, optionId: tenant.product.optionId },
    expectedTotal: { amount: 1200, currency: 'USD' },
    refundPolicyVersion: '2026-01',
  },
  'commerce.orders': { status: 'PAYMENT_FAIL', from: '2026-01-01', to: '2026-12-31', page: 1 },
  'commerce.requestCancel': {
    reason: 'Bought by mistake',
    itemIds: [tenant.ids.orderItem],
    refundAccount: { bank: 'River Bank', number: '110-222-333444', holder: 'Mina Park' },
    expectedAmount: { amount: 1, currency: 'USD' },
  },
  'commerce.setRefundAccount': {
    refundAccount: { bank: 'River Bank', number: '110-222-333444', holder: 'Mina Park' },
  },
  'commerce.receiptPdf': { lang: 'ar' },
  'commerce.startPayment': { method: 'CARD', returnUrl: '/payments/result' },
  'videos.videoJobs': { status: 'FAILED', product: tenant.product.code, page: 1, size: 5 },
  'videos.addVideo': {
    ...{ product: tenant.product.code, lesson: 1, upload: tenant.ids.video, language: 'en', poster: 1 },
    ...{ previewSeconds: 10, previewStartSeconds: 2, keepSource: true },
    captions: [{ language: 'ko', label: '한국어', upload: tenant.ids.lesson }],
    chapters: [{ startSeconds: 0, title: 'Opening' }],
  },
  'analytics.store': { from: '2026-01-01', to: '2026-03-31', by: 'week' },
  'analytics.products': { from: '2026-01-01', to: '2026-03-31', sort: 'views', page: 1, size: 5 },
  'analytics.product': { from: '2026-01-01', to: '2026-03-31', by: 'month' },
  'analytics.retention': { from: '2026-01-01', to: '2026-03-31' },
  'analytics.table': { from: '2026-01-01', to: '2026-03-31', per: 'week', sort: 'views', limit: 5 },
  'plans.planProducts': { page: 1, size: 5 },
  'plans.subscriptionProducts': { sort: 'createdAt,DESC', page: 1, size: 5 },
  'plans.subscribe': {
    cardId: tenant.ids.card,
    returnUrl: '/plans/payment-result',
    expectedPrice: { amount: 900, currency: 'USD' },
    agreeRecurring: true,
  },
  'plans.quote': { planId: tenant.ids.plan },
  'plans.changePlan': { planId: tenant.ids.plan, quoteId: tenant.ids.plan },
  'plans.cancelSubscription': { reason: 'Enough' },
  'plans.subscriptionHistory': { page: 1, size: 5 },
  'cards.registerCard': { returnUrl: '/mypages/cards', replaces: tenant.ids.card },
  'playback.startPlayback': { lessonId: tenant.ids.lesson, acceptsFulfillment: true },
  'playback.progress': {
    lessonId: tenant.ids.lesson,
    positionSeconds: 5,
    playedSeconds: 5,
    at: new Date().toISOString(),
  },
})

/** Objects as the call expects them, but for one value. */
const mutated = (right: Record<string, unknown>) => {
  const keys = Object.keys(right)
  if (keys.length === 0) return input
  return fc.oneof(
    input,
    fc.tuple(fc.constantFrom(...keys), nasty).map(([key, value]) => ({ ...right, [key]: value })),
  )
}

const queryOf = (values: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(values).map(
      ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
    ),
  ).toString()

const send = async ({ method, of, access }: (typeof calls)[number], path: string, values: Record<string, unknown>) => {
  const address = `${api.origin}${of === 'customer' ? customerBase(tenant.code) : apiBase}${path}`
  const response = await api.fetch(
    new Request(method === 'GET' ? `${address}?${queryOf(values)}` : address, {
      method,
      headers: {
        authorization: `Bearer ${access === 'operator' ? tenant.operator.token : tenant.member.token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(values) }),
    }),
  )
  const sent = `${method} ${path} ${JSON.stringify(values)}`
  expect(response.status, sent).toBeLessThan(500)
  if (response.status >= 400) problem.parse(await response.json())
}

const onPaidOrders = new Set(['commerce.requestCancel', 'commerce.receipt', 'commerce.receiptPdf'])

const rightPath = (name: string, path: string) =>
  path.replace(/\{([^}]+)\}/g, (_, part: string) => {
    if (part === 'commentId') return tenant.ids.comment
    if (part === 'attachmentId') return tenant.ids.attachment
    if (part === 'previewId') return tenant.ids.video
    if (part === 'code' && onPaidOrders.has(name)) return tenant.paidOrderCode
    if (part === 'code' && name.startsWith('analytics.')) return tenant.product.code
    if (part === 'code') return tenant.orderCode
    if (part === 'type') return tenant.pageType
    if (name === 'content.notice') return tenant.ids.notice
    if (name.endsWith('CartItem')) return tenant.ids.cartItem
    if (name === 'plans.confirmSubscription') return tenant.ids.subscription
    if (name.startsWith('plans.')) return tenant.ids.plan
    if (name.startsWith('cards.')) return tenant.ids.card
    if (name.startsWith('videos.')) return tenant.ids.videoJob
    return name === 'commerce.confirmPayment' ? tenant.ids.payment : tenant.product.id
  })

describe('Whatever is sent', () => {
  test.each(calls)('$name takes each known nasty value in each of its fields', async (call) => {
    const { name, path } = call
    const right = rightInputs()[name] ?? {}
    for (const key of Object.keys(right))
      for (const value of nastyValues) await send(call, rightPath(name, path), { ...right, [key]: value })
  })

  test.each(calls)('$name answers below 500, and every refusal in the one payload', async (call) => {
    const { name, path } = call
    await fc.assert(
      fc.asyncProperty(
        mutated(rightInputs()[name] ?? {}),
        fc.string({ minLength: 1, maxLength: 40 }),
        fc.boolean(),
        (values, segment, right) => {
          const encoded = encodeURIComponent(segment.toWellFormed()).replaceAll('.', '%2E')
          return send(call, right ? rightPath(name, path) : path.replace(/\{[^}]+\}/g, encoded), values)
        },
      ),
      { numRuns: 40, seed: 20_261_121 },
    )
  })

  test('a query of a hundred thousand characters is refused, not searched', async () => {
    const response = await api.fetch(
      new Request(`${api.origin}${customerBase(tenant.code)}/new-search?q=${'a'.repeat(100_000)}`),
    )
    expect(response.status).toBe(422)
  })
})
