import { expect, test } from 'vitest'
import { payments, providerEvents } from '#api/modules/billing/billing.schema.ts'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import { refundPayment } from '#api/modules/billing/refund-payments.ts'
import { cards as cardRows } from '#api/modules/plans/cards.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { keyed } from '#tests/support/buying.ts'
import { payingAt } from '#tests/support/paying.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { createPlan } from '#tests/support/plans.ts'
import { openPortOneServer, portOneSecrets, portOneStore, signPortOne } from '#tests/support/portone-server.ts'
import { ctxOf, reconcileNow } from '#tests/support/reconciling.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { passDays, subscribeWith } from '#tests/support/subscribing.ts'
import { createTenant, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const portone = await openPortOneServer()
const { begin, start, confirm, requestRefund, message } = payingAt(api)
const myAccount = { bank: '카카오뱅크', number: '3333-01-1234567', holder: '박민아' }

const arrange = async ({ price = 12_000, currency = 'KRW' } = {}) => {
  const settings = plainSettings()
  settings.base.currency = currency
  settings.order.methods = ['CARD', 'BANK']
  settings.order.useSubscribe = true
  const tenant = await createTenant(api, { settings })
  await payAt(api, tenant, 'portone', {
    options: {
      ...portOneStore,
      bank: 'SHINHAN',
      bankChannelKey: 'channel-key-bank',
      billingChannelKey: 'channel-key-billing',
      apiUrl: portone.origin,
      timeoutSeconds: '1',
    },
    secrets: portOneSecrets,
  })
  return { tenant, member: await reachable(tenant), product: await tenant.createProduct({ price }) }
}

/** A member with a phone number, which PortOne's gateways require. */
const reachable = async (tenant: Tenant) => {
  const member = await tenant.createMember()
  await member.client.identity.changeProfile({ phone: '010-1234-5678' })
  return member
}

/** The page on which PortOne's script opens its window, and the request to that script. */
const openPage = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await api.fetch(new Request(new URL(path, api.origin), { headers }))
  const text = await answer.text()
  const data = text
    .match(/data-bridge="([^"]+)"/)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  const bridge = data
    ? (JSON.parse(data) as { kind: string; request: Record<string, unknown>; returnUrl: string })
    : null
  return { status: answer.status, headers: answer.headers, text, bridge }
}

const pay = async (page: string, more: { amount?: number } = {}) =>
  portone.pay((await openPage(page)).bridge!.request, more)

test('a buyer’s phone or name that PortOne needs is required before the payment begins', async () => {
  const { tenant, member, product } = await arrange()
  const plan = await createPlan(tenant, { code: 'asks' })
  const client = keyed(api, tenant, member)
  await member.client.identity.changeProfile({ name: '', phone: null })
  const missing = { status: 409, code: 'BUYER_DETAILS_MISSING' }
  for (const method of ['CARD', 'BANK'] as const) {
    const refused = await failureOf(begin(tenant, member, product, method))
    expect(refused).toMatchObject(missing)
    expect(refused.problem.errors).toEqual({
      name: ['Add your name to your profile.'],
      phone: ['Add your phone number to your profile.'],
    })
  }
  expect(await failureOf(client.billing.registerCard({ returnUrl: '/mypages/cards' }))).toMatchObject(missing)
  const subscribing = { returnUrl: '/plans/payment-result', expectedPrice: plan.price, agreeRecurring: true } as const
  expect(
    await failureOf(keyed(api, tenant, member).subscriptions.subscribe({ id: plan.id, ...subscribing })),
  ).toMatchObject(missing)
  expect(await tenant.within((db) => db.select().from(payments))).toEqual([])
  await member.client.identity.changeProfile({ name: 'Mina Park', phone: '010-1234-5678' })
  expect((await begin(tenant, member, product)).page).toContain('/pay/portone/')
})

test('an order is paid in PortOne’s window, which opens on a page of the store', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId, page } = await begin(tenant, member, product)
  const { status, headers, text, bridge } = await openPage(page)
  expect(status).toBe(200)
  expect(bridge).toMatchObject({
    kind: 'PAYMENT',
    request: {
      ...portOneStore,
      paymentId,
      totalAmount: 12_000,
      currency: 'KRW',
      payMethod: 'CARD',
      customer: { fullName: 'Mina Park', email: member.email },
    },
  })
  expect(bridge!.returnUrl).toMatch(new RegExp(`^${api.origin}/payments/result\\?order=${code}&payment=${paymentId}`))
  expect(bridge!.request.redirectUrl).toBe(bridge!.returnUrl)
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' https:\/\/cdn\.portone\.io;/)
  expect(text.match(/<script\b[^>]*>[^<]/g)).toBeNull()
  expect(text).toContain('<script src="https://cdn.portone.io/v2/browser-sdk.js" defer>')
  portone.pay(bridge!.request)
  expect(await confirm(member, paymentId)).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    payment: { card: { issuer: '신한카드', lastFour: '4242' } },
  })
  expect((await member.client.catalog.product({ id: product.id })).viewer?.entitled).toBe(true)
  expect((await openPage(page)).status).toBe(410)
  const [row] = await tenant.within((db) => db.select().from(payments))
  expect(row).toMatchObject({ provider: 'portone', providerRef: paymentId })
})

test('the payment page uses the buyer’s language, and an altered address is not found', async () => {
  const { tenant, member, product } = await arrange()
  const { code, page } = await begin(tenant, member, product)
  expect((await openPage(page)).text).toContain('₩12,000')
  const arabic = await start(tenant, member, code, { locale: 'ar' })
  expect((await openPage(arabic.page)).text).toContain('dir="rtl"')
  const changed = await openPage(`${page.slice(0, -4)}AAAA`, { 'accept-language': 'ko' })
  expect(changed).toMatchObject({ status: 404, bridge: null })
  expect(changed.text).toContain('페이지를 찾을 수 없어요')
  for (const asset of ['/pay/portone/pay.js', '/pay/portone/pay.css']) expect((await openPage(asset)).status).toBe(200)
})

test('an amount changed in the browser is refused, and a wrong amount received is refunded', async () => {
  const { tenant, member, product } = await arrange()
  const { paymentId, page } = await begin(tenant, member, product)
  const { bridge } = await openPage(page)
  expect(() => portone.pay({ ...bridge!.request, totalAmount: 1 })).toThrow('not what was registered')
  portone.pay(bridge!.request, { amount: 100 })
  expect(await confirm(member, paymentId)).toMatchObject({
    status: 'PAYMENT_FAIL',
    payment: { failure: 'AMOUNT_MISMATCH' },
  })
  expect(portone.payments.get(paymentId)?.amount).toMatchObject({ total: 100, cancelled: 100 })
})

test('a declined card fails the payment, and an abandoned payment page is closed', async () => {
  const { tenant, member, product } = await arrange()
  const declined = await begin(tenant, member, product)
  portone.decline((await openPage(declined.page)).bridge!.request)
  expect(await confirm(member, declined.paymentId)).toMatchObject({
    status: 'PAYMENT_FAIL',
    payment: { failure: 'CARD_DECLINED' },
  })
  const abandoned = await begin(tenant, member, product)
  api.clock.advance(31 * 60_000)
  await reconcileNow(api, tenant)
  expect(await member.client.orders.order({ code: abandoned.code })).toMatchObject({
    status: 'PAYMENT_FAIL',
    payment: { failure: 'ABANDONED' },
  })
  expect((await openPage(abandoned.page)).status).toBe(410)
})

test('a valid webhook settles the payment; copies, forged, old and foreign ones change nothing', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId, page } = await begin(tenant, member, product)
  await pay(page)
  const body = portone.event('Transaction.Paid', paymentId)
  const now = new Date()
  const old = new Date(now.getTime() - 301_000)
  const other = Buffer.from('a key of someone else altogether')
  const status = async (text: string, headers: Record<string, string>) =>
    (await message(tenant, 'portone', text, headers)).status
  expect(await status(body, signPortOne(body, now, 'msg_1', other))).toBe(401)
  expect(await status(`${body} `, signPortOne(body, now))).toBe(401)
  expect(await status(body, signPortOne(body, old))).toBe(401)
  expect(await status(body, {})).toBe(401)
  const foreign = portone.event('Transaction.Paid', paymentId, 'store-of-someone-else')
  expect(await status(foreign, signPortOne(foreign, now))).toBe(204)
  expect(await member.client.orders.order({ code })).toMatchObject({ status: null })

  const headers = signPortOne(body, now)
  const answers = await Promise.all(Array.from({ length: 8 }, () => status(body, headers)))
  expect(answers).toEqual(Array.from({ length: 8 }, () => 204))
  const order = await member.client.orders.order({ code })
  expect(order.status).toBe('PAYMENT_COMPLETE')
  expect(order.timeline.filter(({ type }) => type === 'PAID')).toHaveLength(1)
  expect(await tenant.within((db) => db.select().from(providerEvents))).toMatchObject([{ provider: 'portone' }])
})

test('a timeout or error of the provider leaves the payment open, and it is reconciled later', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId, page } = await begin(tenant, member, product)
  await pay(page)
  portone.plan(/GET \/payments\//, 'HANG')
  expect(await confirm(member, paymentId)).toMatchObject({ status: null })
  portone.plan(/GET \/payments\//, 'FAIL')
  expect(await confirm(member, paymentId)).toMatchObject({ status: null })
  api.clock.advance(61_000)
  await reconcileNow(api, tenant)
  expect(await member.client.orders.order({ code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('a card payment is refunded in full once, however often requested, and in parts', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId, page } = await begin(tenant, member, product)
  await pay(page)
  await confirm(member, paymentId)
  portone.plan(/POST \/payments\/[^/]+\/cancel/, 'CUT')
  await Promise.allSettled(Array.from({ length: 8 }, () => requestRefund(tenant, member, code)))
  api.clock.advance(10 * 60_000)
  await reconcileNow(api, tenant)
  const ctx = await ctxOf(api, tenant)
  await Promise.all(Array.from({ length: 4 }, () => refundPayment(ctx, paymentId)))
  expect(await member.client.orders.order({ code })).toMatchObject({ status: 'CANCEL_COMPLETE' })
  expect(portone.payments.get(paymentId)).toMatchObject({ status: 'CANCELLED', amount: { cancelled: 12_000 } })
  expect(portone.payments.get(paymentId)?.cancellations).toHaveLength(1)

  const provider = ctx.providerNamed('portone')
  const again = await begin(tenant, member, product)
  await pay(again.page)
  const merchant = { id: tenant.id, code: tenant.code, origin: api.origin, currency: 'KRW' }
  for (const total of [4000, 4000, 9000])
    expect(await provider.refund(merchant, again.paymentId, total)).toMatchObject({ code: 'REFUNDED' })
  expect(await provider.refund(merchant, again.paymentId, 12_001)).toEqual({
    code: 'REFUSED',
    reason: 'MORE_THAN_PAID',
  })
  const parts = portone.payments.get(again.paymentId)?.cancellations.map(({ totalAmount }) => totalAmount)
  expect(parts).toEqual([4000, 5000])
})

test('a virtual account is issued once, and the order waits until it is paid', async () => {
  const { tenant, member, product } = await arrange()
  portone.plan(/POST \/payments\/[^/]+\/instant/, 'CUT')
  const order = await failureOf(begin(tenant, member, product, 'BANK'))
  expect(order).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  const { code, payment, paymentId } = await begin(tenant, member, product, 'BANK')
  expect(payment.account).toMatchObject({ bank: '신한은행', holder: '마키' })
  expect((await member.client.orders.order({ code })).status).toBe('DEPOSIT_WAITING')
  expect(await confirm(member, paymentId)).toMatchObject({ status: 'DEPOSIT_WAITING' })
  expect(portone.seen.filter(({ path }) => path === `/payments/${paymentId}/instant`)).toHaveLength(1)

  portone.deposit(paymentId)
  const body = portone.event('Transaction.Paid', paymentId)
  expect((await message(tenant, 'portone', body, signPortOne(body, new Date()))).status).toBe(204)
  expect((await member.client.orders.order({ code })).status).toBe('PAYMENT_COMPLETE')
})

test('a virtual account without a deposit in time is closed', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId } = await begin(tenant, member, product, 'BANK')
  api.clock.advance(8 * dayMilliseconds)
  await reconcileNow(api, tenant)
  expect(portone.payments.get(paymentId)).toMatchObject({ status: 'CANCELLED' })
  const ctx = await ctxOf(api, tenant)
  const rows = await ctx.inTransaction(({ db }) => db.select().from(payments))
  expect(rows).toMatchObject([{ status: 'CANCELLED', failure: 'DEPOSIT_EXPIRED' }])
  expect(() => portone.deposit(paymentId)).toThrow('no such account')
  expect(code).toMatch(/^\d{8}-/)
})

test('a deposit is refunded once to the member’s account, even when the bank takes days', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId } = await begin(tenant, member, product, 'BANK')
  portone.deposit(paymentId)
  await confirm(member, paymentId)
  portone.bank.slow = true
  await requestRefund(tenant, member, code, { refundAccount: myAccount })
  const by = 'admin:Jo'
  expect(await acceptCancel(await ctxOf(api, tenant), { code, by })).toEqual({ step: 'ACCEPT' })
  expect((await member.client.orders.order({ code })).status).toBe('CANCEL_REQUEST')
  api.clock.advance(30 * 60_000)
  await reconcileNow(api, tenant)
  expect(portone.payments.get(paymentId)?.cancellations).toMatchObject([
    { totalAmount: 12_000, refundAccount: { bank: 'KAKAO', number: '3333011234567', holderName: '박민아' } },
  ])
  portone.finishRefunds()
  portone.bank.slow = false
  api.clock.advance(60 * 60_000)
  await reconcileNow(api, tenant)
  expect((await member.client.orders.order({ code })).status).toBe('CANCEL_COMPLETE')
  expect(portone.payments.get(paymentId)?.cancellations).toHaveLength(1)
})

const registerCard = async (tenant: Tenant, member: TestMember) => {
  const { id, redirectUrl } = await keyed(api, tenant, member).billing.registerCard({ returnUrl: '/mypages/cards' })
  const { bridge } = await openPage(redirectUrl)
  expect(bridge).toMatchObject({
    kind: 'CARD',
    request: { channelKey: 'channel-key-billing', billingKeyMethod: 'CARD', issueId: id },
  })
  expect(await member.client.billing.confirmCard({ id })).toMatchObject({ status: 'WAITING' })
  const billingKey = portone.registerCard(bridge!.request)
  return { billingKey, card: (await member.client.billing.confirmCard({ id })).card! }
}

test('a card registered at PortOne is charged each month and can be removed', async () => {
  const { tenant, member } = await arrange()
  const { card, billingKey } = await registerCard(tenant, member)
  expect(card).toMatchObject({
    issuer: '신한카드',
    lastFour: '1881',
    expiryMonth: null,
    expiryYear: null,
    expiry: 'GOOD',
  })
  const [row] = await tenant.within((db) => db.select().from(cardRows))
  expect(row?.token).toMatch(/^v1\./)
  const plan = await createPlan(tenant)
  expect(await subscribeWith(api, tenant, member, plan, card.id)).toMatchObject({ result: 'ACTIVE' })
  const other = await registerCard(tenant, member)
  await keyed(api, tenant, member).billing.removeCard({ id: other.card.id })
  await passDays(api, tenant, 32)
  const charged = portone.seen.filter(({ path, body }) => path.endsWith('/billing-key') && body.includes(billingKey))
  expect(charged).toHaveLength(2)
  // Each charge sends the card's owner to the gateway.
  for (const { body } of charged)
    expect(JSON.parse(body)).toMatchObject({ customer: { name: { full: 'Mina Park' }, email: member.email } })
  expect(portone.keys.get(other.billingKey)).toMatchObject({ status: 'DELETED' })
  expect(portone.keys.get(billingKey)).toMatchObject({ status: 'ISSUED' })
})

test('a charge whose connection broke is found and not repeated; a declined one grants nothing', async () => {
  const { tenant, member } = await arrange()
  const { card, billingKey } = await registerCard(tenant, member)
  const plan = await createPlan(tenant)
  portone.plan(/POST \/payments\/[^/]+\/billing-key/, 'CUT')
  await subscribeWith(api, tenant, member, plan, card.id)
  await passDays(api, tenant, 1)
  expect((await member.client.subscriptions.subscription()).regular).toMatchObject({ status: 'PROCEEDING' })
  const charged = portone.seen.filter(({ path, body }) => path.endsWith('/billing-key') && body.includes(billingKey))
  expect(charged).toHaveLength(1)

  const poor = await reachable(tenant)
  const theirs = await registerCard(tenant, poor)
  portone.declining.add(theirs.billingKey)
  expect(await subscribeWith(api, tenant, poor, plan, theirs.card.id)).toMatchObject({
    result: 'FAILED',
    failure: 'LIMIT_EXCEEDED',
  })
})
