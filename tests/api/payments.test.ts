import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments, providerEvents } from '#api/modules/billing/billing.schema.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { sandboxDeliveries, sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { orderEvents } from '#api/modules/orders/orders.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { beginToBuy, beginToPay, buy, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { sendWebhook } from '#tests/support/webhooks.ts'

const api = createTestApi()

/** Races of a hundred requests are slow beside other test files. */
const raceTimeout = 30_000

const arrange = async (price = 1200) => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price })
  return { tenant, member, product }
}

const reconcileNow = async (tenant: Tenant) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  await reconcile(unattendedPaymentCtx(api.deps, customer!, 'a-test'))
}

const deliverDue = (tenant: Tenant) =>
  api.deps.sandbox.deliverDue({ id: tenant.id, code: tenant.code }, (request) => api.fetch(request))

const paidEvents = (tenant: Tenant) =>
  tenant.within((db) =>
    db
      .select()
      .from(orderEvents)
      .where(and(eq(orderEvents.customerId, tenant.id), eq(orderEvents.type, 'PAID'))),
  )

test(
  'twenty concurrent confirmations and a webhook settle and charge a payment once',
  async () => {
    const { tenant, member, product } = await arrange()
    const { page, paymentId } = await beginToBuy(api, tenant, member, product)
    // The form is also sent several times.
    await Promise.all(Array.from({ length: 5 }, () => page.pay(cards.success)))
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, () => member.client.billing.confirmPayment({ id: paymentId })),
      sendWebhook(api, tenant, { reference: paymentId }),
      deliverDue(tenant),
    ])
    const confirmed = outcomes.slice(0, 20) as { order: { status: string } }[]
    expect(new Set(confirmed.map(({ order }) => order.status))).toEqual(new Set(['PAYMENT_COMPLETE']))
    expect(await paidEvents(tenant)).toHaveLength(1)
    expect(await tenant.within((db) => db.select().from(entitlements))).toHaveLength(1)
    const announced = await tenant.within((db) => db.select().from(sandboxDeliveries))
    expect(announced).toHaveLength(1)
  },
  raceTimeout,
)

test(
  'a webhook delivered a hundred times, concurrently and out of order, is processed once',
  async () => {
    const { tenant, member, product } = await arrange()
    const { page, paymentId, order } = await beginToBuy(api, tenant, member, product)
    await page.pay(cards.success)
    const send = (type: string, id: string) => sendWebhook(api, tenant, { id, type, reference: paymentId })
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => send('payment.paid', 'evt_paid')),
      send('payment.failed', 'evt_failed'),
      ...Array.from({ length: 50 }, () => send('payment.paid', 'evt_paid')),
    ])
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([204]))
    await send('payment.cancelled', 'evt_backwards')
    expect(await paidEvents(tenant)).toHaveLength(1)
    expect(await tenant.within((db) => db.select().from(providerEvents))).toHaveLength(3)
    expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
  },
  raceTimeout,
)

test('a webhook with a wrong, missing or old signature is refused and not stored', async () => {
  const { tenant, member, product } = await arrange()
  const { page, paymentId } = await beginToBuy(api, tenant, member, product)
  await page.pay(cards.success)
  const refused = [
    await sendWebhook(api, tenant, { reference: paymentId, secret: 'somebody else’s' }),
    await sendWebhook(api, tenant, { reference: paymentId, at: new Date(api.clock.now().getTime() - 301_000) }),
    await sendWebhook(api, tenant, { reference: paymentId, at: new Date(api.clock.now().getTime() + 301_000) }),
  ]
  expect(refused.map((answer) => answer.status)).toEqual([401, 401, 401])
  expect((await sendWebhook(api, tenant, { reference: paymentId, body: '{"id":1}' })).status).toBe(400)
  expect(await tenant.within((db) => db.select().from(providerEvents))).toEqual([])
})

test('a webhook of one tenant has no effect at another', async () => {
  const { tenant, member, product } = await arrange()
  const other = await createTenant(api)
  const { page, paymentId, order } = await beginToBuy(api, tenant, member, product)
  await page.pay(cards.success)
  await sendWebhook(api, other, { reference: paymentId })
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: null })
})

test('a declined card ends the order and keeps the cart, and a new order can be paid', async () => {
  const { tenant, member, product } = await arrange()
  await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  for (const [number, failure] of [
    [cards.declined, 'CARD_DECLINED'],
    [cards.insufficientFunds, 'INSUFFICIENT_FUNDS'],
  ] as const) {
    const draft = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
    const { page, paymentId } = await beginToPay(api, tenant, member, draft)
    expect((await page.pay(number)).status).toBe(303)
    const { order } = await member.client.billing.confirmPayment({ id: paymentId })
    expect(order).toMatchObject({ status: 'PAYMENT_FAIL', payment: { status: 'FAILED', failure } })
    const again = await failureOf(beginToPay(api, tenant, member, draft))
    expect(again).toMatchObject({ status: 409, code: 'ORDER_NOT_PAYABLE' })
  }
  expect((await member.client.orders.cart()).items).toHaveLength(1)
  const paid = await buy(api, tenant, member, product)
  expect(paid.status).toBe('PAYMENT_COMPLETE')
})

test('a card with a challenge is charged only after the bank’s code is entered', async () => {
  const { tenant, member, product } = await arrange()
  const { page, paymentId } = await beginToBuy(api, tenant, member, product)
  expect((await page.pay(cards.challenge)).headers.get('location')).toContain('/sandbox/pay/')
  expect(await (await page.read()).text()).toContain('Verify your identity')
  expect((await page.challenge('000000')).status).toBe(422)
  expect((await member.client.billing.confirmPayment({ id: paymentId })).order.payment?.status).toBe('PROCESSING')
  expect((await page.challenge('123456')).status).toBe(303)
  expect((await member.client.billing.confirmPayment({ id: paymentId })).order.status).toBe('PAYMENT_COMPLETE')
})

test('a payment whose provider timed out after the charge is reconciled, never failed', async () => {
  const { tenant, member, product } = await arrange()
  const { page, paymentId, order } = await beginToBuy(api, tenant, member, product)
  expect((await page.pay(cards.timeout)).status).toBe(504)
  expect(await deliverDue(tenant)).toBe(0)
  // Without an answer of the provider the payment's state is unknown.
  expect((await member.client.billing.confirmPayment({ id: paymentId })).order.status).toBeNull()
  api.clock.advance(61_000)
  await reconcileNow(tenant)
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('a charge without confirmation is found even after its draft has expired', async () => {
  const { tenant, member, product } = await arrange()
  const { page, order } = await beginToBuy(api, tenant, member, product)
  await page.pay(cards.timeout)
  api.clock.advance(31 * 60_000)
  await reconcileNow(tenant)
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('an abandoned payment fails after half an hour and cannot be paid any more', async () => {
  const { tenant, member, product } = await arrange()
  const { page, order } = await beginToBuy(api, tenant, member, product)
  api.clock.advance(31 * 60_000)
  await reconcileNow(tenant)
  const failed = await member.client.orders.order({ code: order.code })
  expect(failed).toMatchObject({ status: 'PAYMENT_FAIL', payment: { failure: 'ABANDONED' } })
  expect((await page.read()).status).toBe(410)
  await page.pay(cards.success)
  expect(await tenant.within((db) => db.select().from(sandboxPayments))).toMatchObject([{ chargedAt: null }])
})

test('a late payment stays in progress until its webhook arrives', async () => {
  const { tenant, member, product } = await arrange()
  const { page, paymentId, order } = await beginToBuy(api, tenant, member, product)
  await page.pay(cards.late)
  expect((await member.client.billing.confirmPayment({ id: paymentId })).order.payment?.status).toBe('PROCESSING')
  expect(await deliverDue(tenant)).toBe(0)
  api.clock.advance(6_000)
  expect(await deliverDue(tenant)).toBe(1)
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('duplicate webhooks of the sandbox are all delivered and settle the payment once', async () => {
  const { tenant, member, product } = await arrange()
  const { page } = await beginToBuy(api, tenant, member, product)
  await page.pay(cards.duplicate)
  expect(await deliverDue(tenant)).toBe(3)
  expect(await paidEvents(tenant)).toHaveLength(1)
  expect(await tenant.within((db) => db.select().from(providerEvents))).toHaveLength(1)
})

test('a webhook that could not be delivered is sent again later', async () => {
  const { tenant, member, product } = await arrange()
  const { page, order } = await beginToBuy(api, tenant, member, product)
  await page.pay(cards.success)
  const down = () => Promise.reject(new Error('The store is down.'))
  expect(await api.deps.sandbox.deliverDue({ id: tenant.id, code: tenant.code }, down)).toBe(0)
  expect(await deliverDue(tenant)).toBe(0)
  api.clock.advance(6_000)
  expect(await deliverDue(tenant)).toBe(1)
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('two concurrent payments for one product charge the member once', async () => {
  const { tenant, member, product } = await arrange()
  const first = await beginToBuy(api, tenant, member, product)
  const second = await beginToBuy(api, tenant, member, product)
  await first.page.pay(cards.success)
  await second.page.pay(cards.success)
  const one = await member.client.billing.confirmPayment({ id: first.paymentId })
  const two = await member.client.billing.confirmPayment({ id: second.paymentId })
  expect(one.order).toMatchObject({ status: 'PAYMENT_FAIL', payment: { failure: 'SUPERSEDED' } })
  expect(two.order.status).toBe('PAYMENT_COMPLETE')
})

test('a product whose payment is unresolved cannot be paid for a second time', async () => {
  const { tenant, member, product } = await arrange()
  const first = await beginToBuy(api, tenant, member, product)
  await first.page.pay(cards.timeout)
  expect(await failureOf(beginToBuy(api, tenant, member, product))).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  api.clock.advance(61_000)
  expect(await failureOf(beginToBuy(api, tenant, member, product))).toMatchObject({ code: 'ALREADY_OWNED' })
  expect(await tenant.within((db) => db.select().from(payments))).toMatchObject([{ status: 'PAID' }])
})

test(
  'concurrent payment starts for one product leave one payment open',
  async () => {
    const { tenant, member, product } = await arrange()
    await Promise.allSettled(Array.from({ length: 8 }, () => beginToBuy(api, tenant, member, product)))
    const begun = await tenant.within((db) => db.select().from(payments))
    expect(begun.length).toBeGreaterThan(0)
    expect(begun.filter(({ status }) => status === 'READY')).toHaveLength(1)
  },
  raceTimeout,
)
