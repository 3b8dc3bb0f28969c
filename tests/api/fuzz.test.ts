import { traverseContractProcedures } from '@orpc/server'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { apiBase, customerBase } from '#contract/http.ts'
import { problem } from '#contract/problem.ts'
import { contract, installation } from '#contract/procedures/contract.ts'
import type { ProcedureMeta } from '#contract/procedures/procedure.ts'
import { createFullTenant, type FullTenant } from '#tests/support/full-tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: FullTenant

beforeAll(async () => {
  tenant = await createFullTenant(api, 'fuzz')
  // A request refused by a rate limit would not reach its procedure.
  const consume = () => ({ code: 'ALLOWED', count: 1, release: () => Promise.resolve() })
  for (const limit of Object.values(api.deps.limits)) Object.assign(limit, { consume })
}, 60_000)

interface Procedure {
  name: string
  method: string
  path: string
  scope: 'customer' | 'installation'
  access: string
  versioned: boolean
  inputSchema: unknown
}
const procedures: Procedure[] = []
for (const [scope, router] of [
  ['customer', contract],
  ['installation', { installation }],
] as const)
  traverseContractProcedures({ router, path: [] }, ({ contract: procedure, path }) => {
    const { method = 'GET', path: address = '/' } = procedure['~orpc'].route
    // Signing out would end the test's own session.
    const name = path.join('.')
    if (['identity.logout', 'identity.endOtherSessions'].includes(name)) return
    const { meta, inputSchema } = procedure['~orpc']
    const { access, versioned = false } = meta as ProcedureMeta
    procedures.push({ name, method, path: address, scope, access, versioned, inputSchema })
  })

const fieldNames = [
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

/** Values that have broken parsers and databases. */
const hostileValues: unknown[] = [
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
const hostileValue = fc.oneof(
  fc.constantFrom(...hostileValues),
  fc.string({ maxLength: 300 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
)
const input = fc.dictionary(fc.constantFrom(...fieldNames), hostileValue, { maxKeys: 8 })

/** A valid input for each procedure, so that one invalid value gets as far as it can. */
const validInputs = (): Record<string, Record<string, unknown>> => ({
  'identity.login': { email: 'someone@example.com', password: 'something' },
  'identity.changeProfile': {
    name: 'Mina Kang',
    phone: '213 373 4253',
    address: { postcode: '04524', road: 'Sejong-daero 110', detail: '3F' },
    locale: 'ko',
    marketing: true,
  },
  'identity.changePassword': { currentPassword: 'not the right one', newPassword: 'a long enough word' },
  'identity.withdraw': { password: 'not the right one', reason: 'Enough' },
  'identity.searchAddress': { q: '세종대로 110' },
  'identity.requestJoin': {
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
  'identity.joinStage': { token: tenant.joinToken },
  'identity.confirmJoin': { token: tenant.joinToken, code: '123456' },
  'identity.join': { token: tenant.joinToken },
  'identity.requestReset': { email: 'fuzz-reset@example.com' },
  'identity.requestSignInLink': { email: 'fuzz-link@example.com' },
  'identity.reset': { password: 'a long enough word' },
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
  'catalog.chosen': { section: 'picks' },
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
  'orders.addToCart': { productId: tenant.product.id, optionId: tenant.product.optionId, quantity: 1 },
  'orders.changeCartItem': { optionId: tenant.product.optionId, quantity: 1, version: 1 },
  'orders.placeOrder': {
    buyNow: { productId: tenant.product.id, optionId: tenant.product.optionId },
    expectedTotal: { amount: 1200, currency: 'USD' },
    refundPolicyVersion: '2026-01',
  },
  'orders.orders': { status: 'PAYMENT_FAIL', from: '2026-01-01', to: '2026-12-31', page: 1 },
  'billing.requestCancel': {
    reason: 'Bought by mistake',
    itemIds: [tenant.ids.orderItem],
    refundAccount: { bank: 'River Bank', number: '110-222-333444', holder: 'Mina Park' },
    expectedAmount: { amount: 1, currency: 'USD' },
  },
  'billing.setRefundAccount': {
    refundAccount: { bank: 'River Bank', number: '110-222-333444', holder: 'Mina Park' },
  },
  'billing.receiptPdf': { lang: 'ar' },
  'billing.startPayment': { method: 'CARD', returnUrl: '/payments/result' },
  'media.videoJobs': { status: 'FAILED', product: tenant.product.code, page: 1, size: 5 },
  'media.addVideo': {
    product: tenant.product.code,
    lesson: 1,
    upload: tenant.ids.video,
    language: 'en',
    poster: 1,
    previewSeconds: 10,
    previewStartSeconds: 2,
    keepSource: true,
    captions: [{ language: 'ko', label: '한국어', upload: tenant.ids.lesson }],
    chapters: [{ startSeconds: 0, title: 'Opening' }],
  },
  'admin.imports.create': { table: 'faq', file: new File(['question,answer\r\n'], 'faq.csv'), dryRun: true },
  'admin.videos.list': { q: 'fuzz', size: 5 },
  'admin.videos.use': { product: tenant.product.code },
  'admin.videos.setChapters': { chapters: [{ startSeconds: 0, title: 'Opening', translations: { ko: '시작' } }] },
  'admin.videos.setPreview': { startSeconds: 0, seconds: 2 },
  'staff.signInWithPasskey': tenant.passkeyProof,
  'staff.confirmPasskey': tenant.passkeyProof,
  'staff.startPasskey': { password: 'correct horse battery' },
  'staff.addPasskey': tenant.passkeyForm,
  'staff.requestEmailChange': { email: 'fuzz@example.com', password: 'correct horse battery' },
  'staff.confirmEmailChange': { key: 'x'.repeat(60) },
  'staff.resetSecondFactor': { reason: 'fuzz' },
  'staff.removePasskey': { password: 'correct horse battery' },
  'staff.saveView': { list: 'orders', name: 'Paid', search: { status: 'PAYMENT_COMPLETE' }, isShared: false },
  'admin.inquiries.list': { status: 'WAIT', type: 'ETC', assignee: 'NONE', q: 'fuzz', size: 5 },
  'admin.inquiries.assignMany': { codes: [tenant.inquiryCode], assigneeId: tenant.ids.staffPerson },
  'admin.inquiries.assign': { assigneeId: tenant.ids.staffPerson },
  'admin.inquiries.saveDraft': { body: 'fuzz' },
  'admin.inquiries.answer': { body: 'fuzz', files: [tenant.ids.file] },
  'admin.mails.suppressed': { q: 'fuzz', size: 5 },
  'admin.mails.suppress': { address: 'fuzz@example.com', reason: 'fuzz' },
  'admin.savedReplies.create': { title: 'Fuzz', body: 'fuzz' },
  'admin.savedReplies.change': { title: 'Fuzz', body: 'fuzz' },
  'admin.orders.createComplimentary': {
    memberId: tenant.member.id,
    productCodes: [tenant.product.code],
    reason: 'fuzz',
  },
  'admin.orders.createPaid': {
    memberId: tenant.member.id,
    productCodes: [tenant.product.code],
    amount: 100,
    reference: 'fuzz',
    day: '2026-01-01',
    reason: 'fuzz',
  },
  'admin.orders.export': {
    way: 'CARD',
    product: 'fuzz',
    min: 1,
    max: 9,
    sort: 'TOTAL',
    columns: 'code',
    status: 'PAYMENT_FAIL',
    q: 'fuzz',
    from: '2026-01-01',
    to: '2026-12-31',
  },
  'admin.members.export': { q: 'fuzz' },
  'admin.changes': { seconds: 1 },
  'admin.orders.refund': { itemIds: [], amount: 100, reason: 'fuzz', overridesRule: true },
  'admin.orders.cancel': { reason: 'fuzz' },
  'admin.deposits.expected': { q: 'fuzz', size: 5 },
  'admin.members.cancelSubscription': { reason: 'fuzz' },
  'admin.members.pauseSubscription': { reason: 'fuzz', until: '2030-01-01' },
  'admin.members.resumeSubscription': { reason: 'fuzz' },
  'admin.members.quotePlanChange': { planId: tenant.ids.plan },
  'admin.members.changePlan': { planId: tenant.ids.plan, reason: 'fuzz' },
  'admin.members.changePlanNow': { quoteId: tenant.ids.plan, reason: 'fuzz' },
  'admin.members.endSubscription': { reason: 'fuzz' },
  'admin.members.revokeCancellation': { reason: 'fuzz' },
  'admin.members.refundCharge': { chargeId: tenant.ids.lesson, amount: 1, reason: 'fuzz' },
  'admin.members.view': { reason: 'fuzz' },
  'admin.members.block': { reason: 'fuzz', cancelsSubscription: true },
  'admin.members.exportData': { reason: 'fuzz' },
  'admin.members.unblock': { reason: 'fuzz' },
  'admin.members.erase': { email: 'fuzz@example.com', reason: 'fuzz' },
  'admin.members.merge': { otherId: tenant.ids.lesson, email: 'fuzz@example.com', reason: 'fuzz' },
  'admin.members.changeEmail': { email: 'fuzz@example.com', reason: 'fuzz' },
  'admin.members.grantTitle': { productCode: tenant.product.code, reason: 'fuzz', until: '2030-01-01' },
  'admin.members.revokeTitle': { reason: 'fuzz' },
  'admin.deposits.received': { q: 'fuzz', from: '2026-01-01', to: '2026-12-31', min: 1, max: 10, size: 5 },
  'admin.deposits.export': { list: 'RECEIVED', q: 'fuzz', min: 1 },
  'admin.deposits.toReturn': { size: 5 },
  'admin.deposits.receive': { amount: 1200, reference: 'fuzz', day: '2026-01-01', reason: 'fuzz' },
  'admin.deposits.undo': { reason: 'fuzz' },
  'admin.deposits.match': { code: tenant.orderCode, reason: 'fuzz' },
  'admin.deposits.recordReturn': { reference: 'fuzz', day: '2026-01-01' },
  'admin.deposits.recordRefund': { reference: 'fuzz', day: '2026-01-01' },
  'analytics.store': { from: '2026-01-01', to: '2026-03-31', by: 'week' },
  'analytics.products': { from: '2026-01-01', to: '2026-03-31', sort: 'views', page: 1, size: 5 },
  'analytics.product': { from: '2026-01-01', to: '2026-03-31', by: 'month' },
  'analytics.retention': { from: '2026-01-01', to: '2026-03-31' },
  'admin.orders.exportMovements': { from: '2026-01-01', to: '2026-03-31' },
  'analytics.settlements': { from: '2026-01-01', to: '2026-03-31', by: 'week' },
  'analytics.titles': { from: '2026-01-01', to: '2026-03-31', sort: 'net' },
  'analytics.sales': { from: '2026-01-01', to: '2026-03-31', by: 'week' },
  'analytics.subscriptions': { to: '2026-03-31', days: 30 },
  'analytics.searches': { days: 30 },
  'analytics.table': { from: '2026-01-01', to: '2026-03-31', per: 'week', of: 'sales', sort: 'views', limit: 5 },
  'admin.products.change': {
    title: 'Fuzz',
    description: '<p>Fuzz</p>',
    tags: ['fuzz'],
    categoryIds: [tenant.category.id],
    saleFrom: '2026-01-01T00:00:00.000Z',
    translations: { ko: { title: '퍼즈', summary: null } },
    options: [
      { name: 'Own', type: 'OWN', days: null, onSale: true, price: 100, translations: { ko: { name: '소장' } } },
      { name: 'Rental', type: 'RENT', days: 2, startWithinDays: 30, sort: 0, onSale: true, price: 100 },
    ],
    removeOptionIds: [tenant.product.optionId],
  },
  'webhooks.create': { url: 'http://127.0.0.1:9/fuzz', description: 'Fuzz', eventTypes: ['order.paid'] },
  'webhooks.change': { url: 'http://127.0.0.1:9/fuzz', description: 'Fuzz', eventTypes: ['order.paid'], enabled: true },
  'webhooks.deliveries': { status: 'FAILED', size: 5 },
  'webhooks.replayFailed': { since: '2026-01-01T00:00:00.000Z' },
  'admin.products.duplicate': { newCode: 'fuzz-copy', title: 'Fuzz' },
  'admin.products.changeParts': {
    lessons: [
      { id: tenant.ids.lesson, title: 'Fuzz', summary: '', free: true, translations: { ko: { title: '강의' } } },
    ],
    attachments: [
      { id: tenant.ids.attachment, name: 'fuzz.pdf', confirmationText: null, translations: { ko: { name: '파일' } } },
    ],
  },
  'admin.products.changeMany': {
    codes: [tenant.product.code],
    status: 'ON_SALE',
    addCategoryIds: [tenant.category.id],
    removeCategoryIds: [],
  },
  'admin.products.restoreMany': {
    items: [{ code: tenant.product.code, version: 'fuzz', status: 'ON_SALE', categoryIds: [] }],
  },
  'admin.categories.create': { name: 'Fuzz', slug: 'fuzz', parentId: null },
  'admin.categories.update': { name: 'Fuzz', slug: 'fuzz', translations: { ko: { name: '퍼즈' } } },
  'admin.categories.move': { parentId: null, position: 1 },
  ...Object.fromEntries(['faq', 'pages', 'banners', 'plans'].map((kind) => [`admin.${kind}.move`, { position: 1 }])),
  'admin.videos.rename': { title: 'Fuzz' },
  'admin.notices.list': { q: 'fuzz', size: 5 },
  'admin.notices.create': { title: 'Fuzz', body: '<p>Fuzz</p>', pinned: true, startsAt: null, endsAt: null },
  'admin.notices.change': {
    title: 'Fuzz',
    body: '<p>Fuzz</p>',
    pinned: true,
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2030-01-01T00:00:00.000Z',
    translations: { ko: { title: '공지' } },
  },
  'admin.faq.create': { group: 'Fuzz', question: 'Fuzz?', answer: '<p>Fuzz</p>' },
  'admin.faq.change': {
    group: 'Fuzz',
    question: 'Fuzz?',
    answer: '<p>Fuzz</p>',
    translations: { ko: { group: '질문' } },
  },
  'admin.faq.move': { position: 1 },
  'admin.pages.create': { type: 'fuzz-new', title: 'Fuzz', body: '<p>Fuzz</p>' },
  'admin.pages.change': { title: 'Fuzz', body: '<p>Fuzz</p>', translations: { ko: { title: '페이지' } } },
  'admin.pages.move': { position: 1 },
  'admin.banners.create': {
    type: 'CUSTOM',
    title: 'Fuzz',
    text: 'Fuzz',
    label: 'Fuzz',
    tone: 'DARK',
    link: { target: 'PRODUCT', productCode: tenant.product.code },
    html: '<p>Fuzz</p>',
    startsAt: null,
    endsAt: null,
  },
  'admin.banners.change': {
    type: 'HEADER_BANNER',
    title: 'Fuzz',
    text: 'Fuzz',
    label: null,
    tone: 'LIGHT',
    link: { target: 'CATEGORY', categoryId: tenant.category.id },
    html: null,
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2030-01-01T00:00:00.000Z',
    translations: { ko: { label: '보기' } },
  },
  'admin.banners.move': { position: 1 },
  'admin.previewHtml': { html: '<p>Fuzz</p><script>alert(1)</script>' },
  'admin.settings.update': {
    base: { name: 'Fuzz store', locale: 'en', locales: ['en'], timeZone: 'Asia/Seoul', dateFormat: 'yyyy/mm/dd' },
    theme: { accent: '#2563eb' },
    order: { refundPolicy: { version: '1', text: 'Within seven days.' }, methods: ['CARD'] },
    business: { email: 'help@example.com' },
    routeRules: [{ from: '/old', to: '/products', permanent: true }],
    redirectOrigins: ['https://example.com'],
    homeSections: [
      { kind: 'NEWEST', hidden: true },
      { kind: 'CATEGORY', categoryId: tenant.category.id, title: 'Fuzz' },
      { kind: 'PRODUCTS', id: 'picks', title: 'Fuzz', productCodes: [tenant.product.code] },
    ],
    menu: [
      { kind: 'VIDEOS', hidden: true },
      { kind: 'LINK', id: 'fuzz', title: 'Fuzz', url: '/notices' },
    ],
    translations: { ko: { 'base.name': '가게' } },
  },
  // The store stays open for the tests that follow.
  'admin.store.close': { code: 'not-this-store' },
  'subscriptions.planProducts': { page: 1, size: 5 },
  'subscriptions.subscriptionProducts': { sort: 'createdAt,DESC', page: 1, size: 5 },
  'subscriptions.subscribe': {
    cardId: tenant.ids.card,
    returnUrl: '/plans/payment-result',
    expectedPrice: { amount: 900, currency: 'USD' },
    agreeRecurring: true,
  },
  'subscriptions.quote': { planId: tenant.ids.plan },
  'subscriptions.changePlan': { planId: tenant.ids.plan, quoteId: tenant.ids.plan },
  'subscriptions.cancelSubscription': { reason: 'Enough' },
  'subscriptions.subscriptionHistory': { page: 1, size: 5 },
  'billing.registerCard': { returnUrl: '/mypages/cards', replaces: tenant.ids.card },
  'playback.startPlayback': { lessonId: tenant.ids.lesson, acceptsFulfillment: true },
  'playback.progress': {
    lessonId: tenant.ids.lesson,
    positionSeconds: 5,
    playedSeconds: 5,
    at: new Date().toISOString(),
  },
})

/** Valid inputs with one value replaced. */
const mutated = (valid: Record<string, unknown>) => {
  const keys = Object.keys(valid)
  if (keys.length === 0) return input
  return fc.oneof(
    input,
    fc.tuple(fc.constantFrom(...keys), hostileValue).map(([key, value]) => ({ ...valid, [key]: value })),
  )
}

const queryOf = (values: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(values).map(
      ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
    ),
  ).toString()

/** Signing out would end the session of the procedures that follow. */
const tokenFor = (name: string, access: string) => {
  if (access === 'staff' && name !== 'staff.signOut') return tenant.staff.token
  return access === 'operator' ? tenant.operator.token : tenant.member.token
}

const send = async (
  { name, method, scope, access, versioned }: Procedure,
  path: string,
  values: Record<string, unknown>,
) => {
  const address = `${api.origin}${scope === 'customer' ? customerBase(tenant.code) : apiBase}${path}`
  const response = await api.fetch(
    new Request(method === 'GET' ? `${address}?${queryOf(values)}` : address, {
      method,
      headers: {
        authorization: `Bearer ${tokenFor(name, access)}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(values) }),
    }),
  )
  const sent = `${method} ${path} ${JSON.stringify(values)}`
  expect(response.status, sent).toBeLessThan(500)
  if (response.status < 400) return
  const { code } = problem.parse(await response.json())
  if (code === 'VERSION_MISSING') expect(versioned, `${name} describes the header If-Match`).toBe(true)
}

const onPaidOrders = new Set(['billing.requestCancel', 'billing.receipt', 'billing.receiptPdf'])

/** A valid value for each path parameter, by the part of the path before it. */
const validIds: [pattern: RegExp, value: () => string][] = [
  [/\/files\/\{id\}$/, () => tenant.ids.file],
  [/\{commentId\}$/, () => tenant.ids.comment],
  [/\{attachmentId\}$/, () => tenant.ids.attachment],
  [/\{previewId\}$/, () => tenant.ids.video],
  [/^\/analytics\/products\/\{/, () => tenant.product.code],
  [/^\/inquiries\/\{/, () => tenant.inquiryCode],
  [/^\/pages\/\{/, () => tenant.pageType],
  [/^\/notices\/\{/, () => tenant.ids.notice],
  [/^\/carts\/items\/\{/, () => tenant.ids.cartItem],
  [/^\/payments\/\{/, () => tenant.ids.payment],
  [/^\/cards\/\{/, () => tenant.ids.card],
  [/^\/plans\/\{/, () => tenant.ids.plan],
  [/^\/subscriptions\/\{/, () => tenant.ids.subscription],
  [/^\/videos\/jobs\/\{/, () => tenant.ids.videoJob],
  [/^\/(new-)?products\/\{/, () => tenant.product.id],
  // Nobody has them: the test's session and token must not end, and a key of a mail is used once.
  [/^\/admin\/orders\/\{/, () => tenant.orderCode],
  [/^\/admin\/products\/\{/, () => tenant.product.code],
  [/^\/admin\/members\/\{id\}\/titles\/\{/, () => tenant.product.code],
  [/^\/admin\/videos\/\{id\}\/captions\/\{/, () => 'en'],
  [/^\/admin\/videos\/\{/, () => tenant.ids.video],
  [/^\/admin\/categories\/\{/, () => tenant.category.id],
  [/^\/admin\/plans\/\{/, () => tenant.ids.plan],
  [/^\/admin\/webhooks\/.*\/deliveries\/\{/, () => tenant.ids.webhookDelivery],
  [/^\/admin\/webhooks\/\{/, () => tenant.ids.webhook],
  [/^\/admin\/notices\/\{/, () => tenant.ids.notice],
  [/^\/admin\/faq\/\{/, () => tenant.ids.faq],
  [/^\/admin\/pages\/\{/, () => tenant.pageType],
  [/^\/admin\/banners\/\{id\}\/pictures\/\{/, () => 'desktop'],
  [/^\/admin\/banners\/\{/, () => tenant.ids.banner],
  [/^\/admin\/domains\/\{/, () => `${tenant.code}.test`],
  [/^\/admin\/payment-accounts\/\{/, () => 'sandbox'],
  [/^\/admin\/settings\/pictures\/\{/, () => 'logo'],
  [/^\/admin\/members\/\{/, () => tenant.ids.staffPerson],
  [/^\/admin\/comments\/\{/, () => tenant.ids.comment],
  [/^\/admin\/(?:cases|mails|deposits)\/\{/, () => tenant.ids.lesson],
  [/^\/admin\/inquiries\/\{/, () => tenant.inquiryCode],
  [/^\/staff\/people\/\{/, () => tenant.ids.staffPerson],
  [/^\/staff\/invitations\/\{/, () => tenant.ids.staffInvitation],
  [/^\/staff\/roles\/\{/, () => tenant.ids.staffRole],
  [/^\/staff\/tokens\/\{/, () => tenant.ids.lesson],
  [/^\/staff\/me\/passkeys\/\{/, () => tenant.ids.lesson],
  [/^\/admin\/suppressed-addresses\/\{/, () => tenant.suppressedAddress],
  [/^\/admin\/saved-replies\/\{/, () => tenant.ids.savedReply],
  [/^\/staff\/views\/\{/, () => tenant.ids.view],
  [/^(?:\/staff)?\/me\/sessions\/\{/, () => tenant.ids.lesson],
  [/^\/password-resets\/\{/, () => 'no-such-key'],
  [/^\/admin\/bulk-jobs\/\{/, () => tenant.ids.bulkJob],
  [/^\/admin\/table-jobs\/\{/, () => tenant.ids.tableJob],
  [/^\/admin\/imports\/\{/, () => tenant.ids.catalogImport],
  [/^\/admin\/catalog\/\{/, () => 'faq'],
  [/^\/admin\/stores\/\{/, () => tenant.code],
]

const validPath = (name: string, path: string) =>
  path.replace(/\{[^}]+\}/g, (part, at: number) => {
    if (path.startsWith('/orders/{')) return onPaidOrders.has(name) ? tenant.paidOrderCode : tenant.orderCode
    const [, value] = validIds.find(([pattern]) => pattern.test(path.slice(0, at) + part)) ?? []
    if (!value) throw new Error(`Add a valid value of ${part} in ${path}.`)
    return value()
  })

/**
 * Returns the hostile values of a field that are worth a request: all that the schema of the input
 * accepts, as JSON or as text of an address, and the first of those that it refuses alike.
 */
const valuesToSend = ({ inputSchema }: Procedure, path: Record<string, string>, rest: object, key: string) => {
  const refusals = new Set<string>()
  return hostileValues.filter((value) => {
    if (!(inputSchema instanceof z.core.$ZodType)) return true
    const sent = [value, typeof value === 'string' ? value : JSON.stringify(value)]
    const results = sent.map((one) => z.core.safeParse(inputSchema, { ...path, ...rest, [key]: one }))
    if (results.some(({ success }) => success)) return true
    const refusal = JSON.stringify(results.map(({ error }) => error?.issues.map((issue) => [issue.code, issue.path])))
    return refusals.size < refusals.add(refusal).size
  })
}

/** The parameters of a path by their names. */
const parametersOf = (pattern: string, path: string) => {
  const values = path.split('/')
  const named = pattern.split('/').map((part, at) => [/^\{(\w+)\}$/.exec(part)?.[1], values[at] ?? ''] as const)
  return Object.fromEntries(named.filter(([name]) => name !== undefined))
}

describe('Hostile input', () => {
  test.each(procedures)('$name answers each hostile value in each field below 500', async (procedure) => {
    const { name, path } = procedure
    const valid = validInputs()[name] ?? {}
    const target = validPath(name, path)
    for (const key of Object.keys(valid))
      for (const value of valuesToSend(procedure, parametersOf(path, target), valid, key))
        await send(procedure, target, { ...valid, [key]: value })
  })

  test.each(procedures)(
    '$name answers random input below 500, with errors in the standard payload',
    async (procedure) => {
      const { name, path } = procedure
      await fc.assert(
        fc.asyncProperty(
          mutated(validInputs()[name] ?? {}),
          fc.string({ minLength: 1, maxLength: 40 }),
          fc.boolean(),
          (values, segment, valid) => {
            const encoded = encodeURIComponent(segment.toWellFormed()).replaceAll('.', '%2E')
            return send(procedure, valid ? validPath(name, path) : path.replace(/\{[^}]+\}/g, encoded), values)
          },
        ),
        { numRuns: 20, seed: 20_261_121 },
      )
    },
  )

  test('a search of a hundred thousand characters is refused with 422', async () => {
    const response = await api.fetch(
      new Request(`${api.origin}${customerBase(tenant.code)}/new-search?q=${'a'.repeat(100_000)}`),
    )
    expect(response.status).toBe(422)
  })
})
