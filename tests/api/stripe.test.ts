import { expect, test } from 'vitest'
import { cases, payments, providerEvents } from '#api/modules/billing/billing.schema.ts'
import { refundPayment } from '#api/modules/billing/refund-payments.ts'
import { cards as cardRows } from '#api/modules/plans/cards.schema.ts'
import { subscriptionCharges } from '#api/modules/plans/plans.schema.ts'
import { paymentAccounts } from '#api/modules/tenancy/tenancy.schema.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import { buy, keyed, terms } from '#tests/support/buying.ts'
import { payingAt } from '#tests/support/paying.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { createPlan } from '#tests/support/plans.ts'
import { ctxOf, reconcileNow } from '#tests/support/reconciling.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { openStripeServer, signStripe, stripeSecrets } from '#tests/support/stripe-server.ts'
import { passDays, subscribeWith } from '#tests/support/subscribing.ts'
import { createTenant, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const stripe = await openStripeServer()

const useStripe = (tenant: Tenant, more: Record<string, string> = {}) =>
  payAt(api, tenant, 'stripe', {
    options: { apiUrl: stripe.origin, pageOrigin: stripe.origin, timeoutSeconds: '1', ...more },
    secrets: stripeSecrets,
  })

const arrange = async ({ price = 2900, currency = 'USD' } = {}) => {
  const settings = plainSettings()
  settings.base.currency = currency
  settings.order.useSubscribe = true
  const tenant = await createTenant(api, { settings })
  await useStripe(tenant)
  return { tenant, member: await tenant.createMember(), product: await tenant.createProduct({ price }) }
}

const { begin, start, confirm, requestRefund, message: send } = payingAt(api)

const chargesOf = (paymentId: string) =>
  [...stripe.charges.values()].filter(({ metadata }) => (metadata as { reference: string }).reference === paymentId)

const message = (tenant: Tenant, body: string, signature: string) =>
  send(tenant, 'stripe', body, { 'stripe-signature': signature })

test('an order is paid on Checkout’s page, and the browser comes back to the store', async () => {
  const { tenant, member, product } = await arrange()
  const { paymentId, page } = await begin(tenant, member, product)
  const session = stripe.pay(page)
  expect(session).toMatchObject({
    client_reference_id: paymentId,
    amount_total: 2900,
    currency: 'usd',
    metadata: { reference: paymentId, customer: tenant.code },
    customer_email: member.email,
  })
  expect(String(session.success_url)).toMatch(new RegExp(`^${api.origin}/payments/result\\?.*payment=${paymentId}`))
  const order = await confirm(member, paymentId)
  expect(order).toMatchObject({ status: 'PAYMENT_COMPLETE', payment: { card: { issuer: 'VISA', lastFour: '4242' } } })
  expect((await member.client.catalog.product({ id: product.id })).viewer?.entitled).toBe(true)
  const [row] = await tenant.within((db) => db.select().from(payments))
  expect(row).toMatchObject({ provider: 'stripe', providerRef: session.id })
})

test.each([
  ['KRW', 12_000, 12_000],
  ['UGX', 5000, 500_000],
  ['KWD', 12_500, 12_500],
])('amounts are sent in Stripe’s units: %s', async (currency, price, counted) => {
  const { tenant, member, product } = await arrange({ price, currency })
  const { paymentId, page } = await begin(tenant, member, product)
  expect(stripe.pay(page)).toMatchObject({ amount_total: counted, currency: currency.toLowerCase() })
  const order = await confirm(member, paymentId)
  expect(order).toMatchObject({ status: 'PAYMENT_COMPLETE', payment: { amount: { amount: price, currency } } })
})

test('a payment started again in another language leads to the same page', async () => {
  const { tenant, member, product } = await arrange()
  const first = await begin(tenant, member, product)
  const second = await start(tenant, member, first.code, { locale: 'ko' })
  expect(second).toMatchObject({ paymentId: first.paymentId, page: first.page })
})

test('a declined card may be followed by another on the same page', async () => {
  const { tenant, member, product } = await arrange()
  const { paymentId, page } = await begin(tenant, member, product)
  stripe.decline(page)
  expect(await confirm(member, paymentId)).toMatchObject({ status: null, payment: { status: 'READY' } })
  stripe.pay(page)
  expect(await confirm(member, paymentId)).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('an abandoned Checkout page is closed after half an hour and cannot be paid any more', async () => {
  const { tenant, member, product } = await arrange()
  const { code, page } = await begin(tenant, member, product)
  stripe.decline(page)
  api.clock.advance(31 * 60_000)
  await reconcileNow(api, tenant)
  expect(await member.client.orders.order({ code })).toMatchObject({
    status: 'PAYMENT_FAIL',
    payment: { failure: 'ABANDONED' },
  })
  expect(() => stripe.pay(page)).toThrow('expired')
})

test('a valid webhook settles the payment; copies, forged and old ones change nothing', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId, page } = await begin(tenant, member, product)
  const session = stripe.pay(page)
  const body = stripe.event('checkout.session.completed', session)
  const now = api.clock.now()
  expect((await message(tenant, body, signStripe(body, now, 'whsec_of_someone_else'))).status).toBe(401)
  expect((await message(tenant, `${body} `, signStripe(body, now))).status).toBe(401)
  expect((await message(tenant, body, signStripe(body, new Date(now.getTime() - 301_000)))).status).toBe(401)
  expect((await message(tenant, body, '')).status).toBe(401)
  expect(await member.client.orders.order({ code })).toMatchObject({ status: null })

  const answers = await Promise.all(Array.from({ length: 8 }, () => message(tenant, body, signStripe(body, now))))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 204))
  const order = await member.client.orders.order({ code })
  expect(order.status).toBe('PAYMENT_COMPLETE')
  expect(order.timeline.filter(({ type }) => type === 'PAID')).toHaveLength(1)
  expect(await tenant.within((db) => db.select().from(providerEvents))).toMatchObject([{ provider: 'stripe' }])
  expect(chargesOf(paymentId)).toHaveLength(1)
})

test('a webhook about another object or another provider is not applied to a payment', async () => {
  const { tenant } = await arrange()
  const body = stripe.event('customer.created', { id: 'cus_1', object: 'customer', metadata: {} })
  expect((await message(tenant, body, signStripe(body, api.clock.now()))).status).toBe(204)
  // Another program on the same account has its own payment references.
  const foreign = { id: 'pi_1', object: 'payment_intent', metadata: { reference: 'invoice 12' } }
  const elsewhere = stripe.event('payment_intent.succeeded', foreign)
  expect((await message(tenant, elsewhere, signStripe(elsewhere, api.clock.now()))).status).toBe(204)
  expect((await send(tenant, 'portone', body, {})).status).toBe(404)
  expect(await tenant.within((db) => db.select().from(providerEvents))).toEqual([])
})

test('a timeout of the provider leaves the payment open, and it is reconciled later', async () => {
  const { tenant, member, product } = await arrange()
  const { code, paymentId, page } = await begin(tenant, member, product)
  stripe.pay(page)
  stripe.plan(/GET \/v1\/checkout\/sessions\//, 'HANG', 2)
  expect(await confirm(member, paymentId)).toMatchObject({ status: null })
  api.clock.advance(61_000)
  await reconcileNow(api, tenant)
  expect(await member.client.orders.order({ code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
}, 15_000)

test('a payment start whose connection broke creates one page, not two', async () => {
  const { tenant, member, product } = await arrange()
  const count = stripe.sessions.size
  stripe.plan(/POST \/v1\/checkout\/sessions$/, 'CUT', 2)
  const order = await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  expect(await failureOf(start(tenant, member, order.code))).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  const { paymentId, page } = await start(tenant, member, order.code)
  expect(stripe.sessions.size).toBe(count + 1)
  stripe.pay(page)
  expect(await confirm(member, paymentId)).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('a payment of another amount than requested never completes the order, and is refunded', async () => {
  const { tenant, member, product } = await arrange()
  const { paymentId, page } = await begin(tenant, member, product)
  stripe.pay(page, { amount: 100 })
  const order = await confirm(member, paymentId)
  expect(order).toMatchObject({ status: 'PAYMENT_FAIL', payment: { failure: 'AMOUNT_MISMATCH' } })
  expect(chargesOf(paymentId)).toMatchObject([{ amount: 100, amount_refunded: 100 }])
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'COMPLETE' }])
})

const paidFor = async (products = 1) => {
  const { tenant, member } = await arrange()
  for (let index = 0; index < products; index++) {
    const product = await tenant.createProduct({ price: 1000 + index })
    await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  }
  const draft = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
  const { paymentId, page } = await start(tenant, member, draft.code)
  stripe.pay(page)
  return { tenant, member, paymentId, order: await confirm(member, paymentId) }
}

test('a payment is refunded in full once, however often requested', async () => {
  const { tenant, member, paymentId, order } = await paidFor()
  await Promise.allSettled(Array.from({ length: 8 }, () => requestRefund(tenant, member, order.code)))
  const ctx = await ctxOf(api, tenant)
  await Promise.all(Array.from({ length: 4 }, () => refundPayment(ctx, paymentId)))
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 1000 },
  })
  expect(chargesOf(paymentId)).toMatchObject([{ amount_refunded: 1000, refunded: true }])
  expect(
    [...stripe.refunds.values()].filter(({ metadata }) => (metadata as { reference: string }).reference === paymentId),
  ).toHaveLength(1)
})

test('a payment is refunded in part, and then the rest', async () => {
  const { tenant, member, paymentId, order } = await paidFor(2)
  const [first, second] = order.items
  await requestRefund(tenant, member, order.code, { itemIds: [first!.id] })
  expect(chargesOf(paymentId)).toMatchObject([{ amount: 2001, amount_refunded: first!.price.amount }])
  const rest = await requestRefund(tenant, member, order.code, { itemIds: [second!.id] })
  expect(rest).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 2001 } })
  expect(chargesOf(paymentId)).toMatchObject([{ amount_refunded: 2001 }])
})

test('a refund whose answer was lost is not repeated', async () => {
  const { tenant, member, paymentId, order } = await paidFor()
  stripe.plan(/POST \/v1\/refunds/, 'CUT', 2)
  expect(await requestRefund(tenant, member, order.code)).toMatchObject({ status: 'CANCEL_REQUEST' })
  api.clock.advance(10 * 60_000)
  await reconcileNow(api, tenant)
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'CANCEL_COMPLETE' })
  expect(chargesOf(paymentId)).toMatchObject([{ amount_refunded: 1000 }])
})

const registerCard = async (tenant: Tenant, member: TestMember, lastFour?: string) => {
  const { id, redirectUrl } = await keyed(api, tenant, member).billing.registerCard({ returnUrl: '/mypages/cards' })
  expect(await member.client.billing.confirmCard({ id })).toMatchObject({ status: 'WAITING' })
  stripe.registerCard(redirectUrl, lastFour)
  return member.client.billing.confirmCard({ id })
}

test('a card registered at Stripe is charged each month and can be removed', async () => {
  const { tenant, member } = await arrange()
  const { card } = await registerCard(tenant, member)
  expect(card).toMatchObject({ issuer: 'VISA', lastFour: '4242', expiryMonth: 12, expiryYear: 2034 })
  const [row] = await tenant.within((db) => db.select().from(cardRows))
  expect(row?.token).toMatch(/^v1\./)
  const plan = await createPlan(tenant)
  expect(await subscribeWith(api, tenant, member, plan, card!.id)).toMatchObject({ result: 'ACTIVE' })
  const other = await registerCard(tenant, member, '1881')
  await keyed(api, tenant, member).billing.removeCard({ id: other.card!.id })
  expect((await member.client.billing.cards()).items.map(({ lastFour }) => lastFour)).toEqual(['4242'])

  await passDays(api, tenant, 32)
  const made = [...stripe.charges.values()].filter(
    ({ metadata }) => (metadata as { customer: string }).customer === tenant.code,
  )
  expect(made.map(({ amount }) => amount)).toEqual([900, 900])
  expect(stripe.seen.filter(({ path }) => path.endsWith('/detach'))).toHaveLength(1)
})

test('a charge whose connection broke is found by its reference and not repeated', async () => {
  const { tenant, member } = await arrange()
  const { card } = await registerCard(tenant, member)
  const plan = await createPlan(tenant)
  stripe.plan(/POST \/v1\/payment_intents$/, 'CUT', 2)
  await subscribeWith(api, tenant, member, plan, card!.id)
  await passDays(api, tenant, 1)
  expect((await member.client.subscriptions.subscription()).regular).toMatchObject({ status: 'PROCEEDING' })
  expect(
    [...stripe.charges.values()].filter(({ metadata }) => (metadata as { customer: string }).customer === tenant.code),
  ).toHaveLength(1)
})

test('a declined stored card grants nothing', async () => {
  const { tenant, member } = await arrange()
  const { card } = await registerCard(tenant, member, '0341')
  stripe.declining.add('0341')
  const plan = await createPlan(tenant)
  expect(await subscribeWith(api, tenant, member, plan, card!.id)).toMatchObject({
    result: 'FAILED',
    failure: 'INSUFFICIENT_FUNDS',
  })
  expect((await member.client.subscriptions.subscription()).regular).toBeNull()
})

test('after a change of provider, new payments use the new one and refunds the one that took the payment', async () => {
  const settings = plainSettings()
  const tenant = await createTenant(api, { settings })
  const member = await tenant.createMember()
  const old = await buy(api, tenant, member, await tenant.createProduct({ price: 1500 }))
  expect((await tenant.guest.tenancy.siteSettings()).order).toMatchObject({ paymentOrigins: [] })
  await useStripe(tenant)
  expect((await tenant.guest.tenancy.siteSettings()).order).toMatchObject({
    methods: ['CARD'],
    paymentOrigins: [stripe.origin],
  })
  const { paymentId, page } = await begin(tenant, member, await tenant.createProduct({ price: 2500 }))
  stripe.pay(page)
  const paid = await confirm(member, paymentId)

  expect(await requestRefund(tenant, member, old.code)).toMatchObject({ status: 'CANCEL_COMPLETE' })
  await payAt(api, tenant, 'sandbox')
  expect(await requestRefund(tenant, member, paid.code)).toMatchObject({ status: 'CANCEL_COMPLETE' })
  expect(chargesOf(paymentId)).toMatchObject([{ amount_refunded: 2500 }])
  const accounts = await tenant.within((db) => db.select().from(paymentAccounts))
  expect(accounts.filter(({ active }) => active)).toMatchObject([{ provider: 'sandbox' }])
  expect(JSON.stringify(accounts)).not.toContain(stripeSecrets.secretKey)
  const acts = await tenant.within((db) => db.select().from(audit).orderBy(audit.id))
  expect(acts.filter(({ action }) => action === 'payment-provider.chosen')).toHaveLength(2)
  expect(JSON.stringify(acts)).not.toContain(stripeSecrets.webhookSecret)
})

test('a card stored at a former provider is still charged there', async () => {
  const { tenant, member } = await arrange()
  const { card } = await registerCard(tenant, member)
  const plan = await createPlan(tenant)
  await subscribeWith(api, tenant, member, plan, card!.id)
  await payAt(api, tenant, 'sandbox')
  await passDays(api, tenant, 32)
  const made = [...stripe.charges.values()].filter(
    ({ metadata }) => (metadata as { customer: string }).customer === tenant.code,
  )
  expect(made.map(({ amount }) => amount)).toEqual([900, 900])
  const charged = await tenant.within((db) => db.select().from(subscriptionCharges))
  expect(charged.map(({ provider, status }) => [provider, status])).toEqual([
    ['stripe', 'PAID'],
    ['stripe', 'PAID'],
  ])
})

test('an account without a required secret accepts no payments, and the store reports it', async () => {
  const { tenant, member, product } = await arrange()
  await payAt(api, tenant, 'stripe', { secrets: { secretKey: stripeSecrets.secretKey } })
  expect((await tenant.guest.tenancy.siteSettings()).order.methods).toEqual([])
  expect(await failureOf(begin(tenant, member, product))).toMatchObject({ code: 'VALIDATION_FAILED' })
})
