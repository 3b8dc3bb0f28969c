import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cases, payments } from '#api/modules/billing/billing.schema.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import type { PaymentProvider } from '#api/modules/billing/providers/provider.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { PaymentId } from '#contract/ids.ts'
import { beginToBuy } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { sendWebhook } from '#tests/support/webhooks.ts'

const api = createTestApi()

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

/** A reconciliation with some functions of the provider replaced. */
const reconcileWith = async (tenant: Tenant, provider: Partial<PaymentProvider>) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  const ctx = unattendedPaymentCtx(api.deps, customer!, 'a-test')
  const otherwise = { ...ctx.provider, ...provider }
  await reconcile({ ...ctx, provider: otherwise, providerNamed: () => otherwise })
}

test('a payment of another amount or currency than the server’s never completes the order, and is refunded', async () => {
  const { tenant, member, product } = await arrange()
  const { page, paymentId } = await beginToBuy(api, tenant, member, product)
  await tenant.within((db) => db.update(sandboxPayments).set({ amount: 1 }))
  await page.pay(cards.success)
  const { order } = await member.client.billing.confirmPayment({ id: paymentId })
  expect(order).toMatchObject({ status: 'PAYMENT_FAIL', payment: { failure: 'AMOUNT_MISMATCH' } })
  expect(order.timeline.at(-1)).toMatchObject({ type: 'UNAPPLIED_PAYMENT_REFUNDED', amount: { amount: 1 } })
  expect(await tenant.within((db) => db.select().from(entitlements))).toEqual([])
})

test('a payment that arrives too late does not reopen the order, and is refunded once', async () => {
  const { tenant, member, product } = await arrange()
  const { paymentId, order } = await beginToBuy(api, tenant, member, product)
  api.clock.advance(31 * 60_000)
  await reconcileNow(tenant)
  // The provider charged the card although the payment was cancelled.
  await tenant.within((db) =>
    db.update(sandboxPayments).set({ status: 'PAID', chargedAt: api.clock.now().toISOString() }),
  )
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => sendWebhook(api, tenant, { id: `evt_late_${n}`, reference: paymentId })),
  )
  await reconcileNow(tenant)
  const late = await member.client.orders.order({ code: order.code })
  expect(late.status).toBe('PAYMENT_FAIL')
  expect(late.timeline.filter((event) => event.type === 'UNAPPLIED_PAYMENT_REFUNDED')).toHaveLength(1)
  const [payment] = await tenant.within((db) => db.select().from(sandboxPayments))
  expect(payment?.refundedAmount).toBe(payment?.amount)
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'COMPLETE' }])
})

test('an error in one payment does not stop the other payments of its tenant', async () => {
  const { tenant, member, product } = await arrange()
  const other = await tenant.createProduct()
  const [bad, good, abandoned] = [
    await beginToBuy(api, tenant, member, product),
    await beginToBuy(api, tenant, await tenant.createMember(), other),
    await beginToBuy(api, tenant, await tenant.createMember(), other),
  ]
  await good.page.pay(cards.timeout)
  api.clock.advance(61_000)
  const { query, cancel } = api.deps.sandbox.provider
  await reconcileWith(tenant, {
    query: (merchant, reference) =>
      reference === bad.paymentId
        ? Promise.reject(new Error('No such thing was foreseen.'))
        : query(merchant, reference),
  })
  const statusOf = async (paymentId: PaymentId) => {
    const rows = await tenant.within((db) => db.select().from(payments).where(eq(payments.id, paymentId)))
    return rows[0]?.status
  }
  expect(await statusOf(good.paymentId)).toBe('PAID')

  api.clock.advance(31 * 60_000)
  await reconcileWith(tenant, {
    query: () => Promise.reject(new Error('No such thing was foreseen.')),
    cancel: (merchant, reference) =>
      reference === bad.paymentId
        ? Promise.reject(new Error('No such thing was foreseen.'))
        : cancel(merchant, reference),
  })
  expect(await statusOf(bad.paymentId)).toBe('READY')
  expect(await statusOf(abandoned.paymentId)).toBe('CANCELLED')
  await reconcileNow(tenant)
  expect(await statusOf(bad.paymentId)).toBe('CANCELLED')
})

test('a failed refund is retried at growing intervals and does not stop others', async () => {
  const { tenant, member, product } = await arrange()
  const late = [
    await beginToBuy(api, tenant, member, product),
    await beginToBuy(api, tenant, await tenant.createMember(), product),
  ]
  api.clock.advance(31 * 60_000)
  await reconcileNow(tenant)
  await tenant.within((db) =>
    db.update(sandboxPayments).set({ status: 'PAID', chargedAt: api.clock.now().toISOString() }),
  )
  const attempts: PaymentId[] = []
  const { refund } = api.deps.sandbox.provider
  const stubborn: Partial<PaymentProvider> = {
    refund: (merchant, reference, total) => {
      attempts.push(reference)
      return reference === late[0]?.paymentId
        ? Promise.reject(new Error('No such thing was foreseen.'))
        : refund(merchant, reference, total)
    },
  }
  await tenant.within((db) => db.update(payments).set({ status: 'READY' }))
  await reconcileWith(tenant, stubborn)
  expect(new Set(attempts)).toEqual(new Set(late.map(({ paymentId }) => paymentId)))
  const statuses = async () => (await tenant.within((db) => db.select().from(cases))).map(({ status }) => status).sort()
  expect(await statuses()).toEqual(['COMPLETE', 'WAIT'])

  const triesAfter = async (minutes: number) => {
    api.clock.advance(minutes * 60_000)
    attempts.length = 0
    await reconcileWith(tenant, stubborn)
    return attempts.length
  }
  const minuteByMinute = []
  for (let minute = 0; minute < 15; minute++) minuteByMinute.push(await triesAfter(1))
  expect(minuteByMinute.reduce((sum, tries) => sum + tries)).toBe(4)
  expect(await triesAfter(24 * 60)).toBe(1)
  api.clock.advance(24 * 60 * 60_000)
  await reconcileNow(tenant)
  expect(await statuses()).toEqual(['COMPLETE', 'COMPLETE'])
})
