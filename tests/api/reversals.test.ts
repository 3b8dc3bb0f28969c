import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import { settle } from '#api/modules/billing/settle-payment.ts'
import type { OrderCode, OrderItemId } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant, depositFor, myAccount } from '#tests/support/bank.ts'
import { keyed, terms } from '#tests/support/buying.ts'
import { moneyOf } from '#tests/support/money-rows.ts'
import { behaving, deliverDue, envOf, reconcileNow } from '#tests/support/reconciling.ts'
import type { Tenant, TestMember, TestProduct } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { sendWebhook } from '#tests/support/webhooks.ts'

const api = createTestApi()
const hour = 3_600_000
const by = 'admin:Jo' as const

const arrange = async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const deposit = await beginToDeposit(api, tenant, member, product)
  const look = () => member.client.commerce.order({ code: deposit.order.code as OrderCode })
  return { tenant, member, product, look, ...deposit }
}

const deposited = async () => {
  const arranged = await arrange()
  await arranged.bank.deposit(2900)
  await deliverDue(api, arranged.tenant)
  return arranged
}

const owns = async (member: TestMember, product: TestProduct) =>
  (await member.client.catalog.product({ id: product.id })).viewer?.entitled

const refunded = async (tenant: Tenant) =>
  (await tenant.within((db) => db.select().from(sandboxPayments))).map((row) => row.refundedAmount)

const ask = (
  tenant: Tenant,
  member: TestMember,
  order: { code: string },
  more: Partial<Parameters<TestMember['client']['commerce']['requestCancel']>[0]> = {},
) =>
  keyed(api, tenant, member).commerce.requestCancel({
    code: order.code as OrderCode,
    reason: 'I bought it twice',
    ...more,
  })

/** What the bank has been told of reversed deposits, and has not seen settled. */
const openRefusalCase = (tenant: Tenant) =>
  tenant.within(async (db) => {
    const rows = await db
      .select()
      .from(cases)
      .where(and(eq(cases.customerId, tenant.id), eq(cases.status, 'WAIT')))
    return rows.map(({ data }) => data).filter(({ kind }) => kind === 'DEPOSIT_REVERSED')
  })

test('a reversed deposit makes the order wait again and closes what it gave, until it is paid anew', async () => {
  const { tenant, member, product, bank, look } = await arrange()
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect((await bank.reverse()).status).toBe(303)
  await deliverDue(api, tenant)
  const waiting = await look()
  expect(waiting).toMatchObject({ status: 'DEPOSIT_WAITING', payment: { status: 'READY' }, paidAt: null })
  expect(waiting.timeline.at(-1)).toMatchObject({ type: 'DEPOSIT_REVERSED', amount: { amount: 2900 } })
  expect(await owns(member, product)).toBe(false)
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'WAIT' }])
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect((await look()).status).toBe('PAYMENT_COMPLETE')
  expect(await owns(member, product)).toBe(true)

  await bank.reverse(0, 'LOST')
  await reconcileNow(api, tenant)
  expect((await look()).status).toBe('DEPOSIT_WAITING')
  api.clock.advance(169 * hour)
  await reconcileNow(api, tenant)
  expect((await look()).status).toBe('PAYMENT_FAIL')
  expect(await owns(member, product)).toBe(false)
})

test('messages and questions that race about a reversal leave what the bank says', async () => {
  const { tenant, member, product, bank, look, paymentId } = await arrange()
  for (const status of ['PAYMENT_COMPLETE', 'DEPOSIT_WAITING', 'PAYMENT_COMPLETE']) {
    await (status === 'PAYMENT_COMPLETE' ? bank.deposit(2900) : bank.reverse())
    await Promise.all([
      ...Array.from({ length: 6 }, () => member.client.commerce.confirmPayment({ id: paymentId })),
      ...Array.from({ length: 6 }, () => sendWebhook(api, tenant, { reference: paymentId })),
      reconcileNow(api, tenant),
    ])
    await reconcileNow(api, tenant)
    expect((await look()).status).toBe(status)
    expect(await owns(member, product)).toBe(status === 'PAYMENT_COMPLETE')
  }
})

test('a wrong deposit that the bank takes back itself is owed to nobody', async () => {
  const { tenant, bank, look } = await arrange()
  await bank.deposit(100)
  await deliverDue(api, tenant)
  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'DEPOSIT_WAITING', unapplied: null, needsRefundAccount: false })
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'COMPLETE' }])
})

test('a deposit that is reversed while its refund is asked for has gone back by itself', async () => {
  const { tenant, member, order, bank, product, look } = await deposited()
  await ask(tenant, member, order, { refundAccount: myAccount })
  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'CANCEL_COMPLETE', refund: { outcome: 'REFUNDED' } })
  expect(await owns(member, product)).toBe(false)
  expect(await refunded(tenant)).toEqual([0])
})

test('what the bank has taken back is not given back out of a surplus', async () => {
  const { tenant, member, order, bank, look } = await deposited()
  await ask(tenant, member, order, { refundAccount: myAccount })
  await bank.deposit(2900, { fault: 'LOST' })
  await bank.reverse(0, 'LOST')
  // The store has not heard of either when the bank accepts.
  const code = order.code as OrderCode
  expect(await acceptCancel(await envOf(api, tenant), { code, by })).toEqual({ step: 'ACCEPT' })
  expect(await refunded(tenant)).toEqual([0])
  await reconcileNow(api, tenant)
  expect(await look()).toMatchObject({ status: 'CANCEL_COMPLETE', unapplied: { amount: 2900 } })
  await keyed(api, tenant, member).commerce.setRefundAccount({ code, refundAccount: myAccount })
  expect(await refunded(tenant)).toEqual([2900])
})

test('what was given back is not given back again by the bank’s reversal', async () => {
  const { tenant, member, order, bank } = await deposited()
  await ask(tenant, member, order, { refundAccount: myAccount })
  await acceptCancel(await envOf(api, tenant), { code: order.code as OrderCode, by })
  expect((await bank.reverse()).status).toBe(409)
})

/** An order of two products, paid by deposit, one of which has been given back. */
const partlyRefunded = async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const [film, book] = [await tenant.createProduct({ price: 2900 }), await tenant.createProduct({ price: 1100 })]
  for (const { id, optionId } of [film, book])
    await member.client.commerce.addToCart({ productId: id, optionId: optionId! })
  const draft = await keyed(api, tenant, member).commerce.placeOrder(terms(tenant))
  const { bank, order, paymentId } = await depositFor(api, tenant, member, draft)
  await bank.deposit(4000)
  await deliverDue(api, tenant)
  const itemOf = ({ id }: TestProduct) => order.items.find((item) => item.product.id === id)!.id as OrderItemId
  await ask(tenant, member, order, { itemIds: [itemOf(book)], refundAccount: myAccount })
  await acceptCancel(await envOf(api, tenant), { code: order.code as OrderCode, by })
  const look = () => member.client.commerce.order({ code: order.code as OrderCode })
  expect(await look()).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: { amount: 1100 } })
  return { tenant, member, film, book, bank, order, paymentId, look, itemOf }
}

test('a deposit reversed after a part of it went back is asked for whole, and the case says what the member still holds', async () => {
  const { tenant, member, film, book, bank, order, look } = await partlyRefunded()
  expect((await bank.reverse()).status).toBe(303)
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'DEPOSIT_WAITING', payment: { amount: { amount: 4000 } } })
  expect(await openRefusalCase(tenant)).toMatchObject([{ amount: 4000, givenBack: 1100 }])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 0, givenBack: 1100, timeline: -1100, owed: 1100 })

  await bank.deposit(4000)
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: { amount: 1100 } })
  expect([await owns(member, film), await owns(member, book)]).toEqual([true, false])
  expect(await openRefusalCase(tenant)).toEqual([])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 4000, givenBack: 1100, timeline: 2900, owed: 0 })

  // What is left of it goes back like any other.
  const kept = (await look()).items.filter((item) => !item.refunded).map(({ id }) => id as OrderItemId)
  await ask(tenant, member, order, { itemIds: kept, refundAccount: myAccount })
  await acceptCancel(await envOf(api, tenant), { code: order.code as OrderCode, by })
  expect(await look()).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 4000 } })
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 4000, givenBack: 4000, timeline: 0 })
})

test('a deposit reversed while the rest of it is asked back ends the order, and the part that went back twice has a case', async () => {
  const { tenant, member, film, bank, order, look, itemOf } = await partlyRefunded()
  await ask(tenant, member, order, { itemIds: [itemOf(film)], refundAccount: myAccount })
  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 4000 } })
  expect(await owns(member, film)).toBe(false)
  expect(await openRefusalCase(tenant)).toMatchObject([{ amount: 4000, givenBack: 1100 }])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 0, givenBack: 1100, timeline: -1100, owed: 1100 })
})

test('a deposit reversed after all of it went back is recorded with a case, once', async () => {
  const { tenant, member, order, look, paymentId } = await deposited()
  await ask(tenant, member, order, { refundAccount: myAccount })
  await acceptCancel(await envOf(api, tenant), { code: order.code as OrderCode, by })
  expect(await look()).toMatchObject({ status: 'CANCEL_COMPLETE' })
  const env = await envOf(api, tenant)
  const reversed = behaving(env, {
    query: async (...asked) => ({ ...(await env.provider.query(...asked))!, status: 'FAILED' }),
  })
  api.clock.advance(1000)
  for (let round = 0; round < 3; round++) await settle(reversed, paymentId, 'WEBHOOK')
  const { timeline, status } = await look()
  expect(status).toBe('CANCEL_COMPLETE')
  expect(timeline.filter(({ type }) => type === 'DEPOSIT_REVERSED')).toHaveLength(1)
  expect(await openRefusalCase(tenant)).toMatchObject([{ amount: 2900, givenBack: 2900 }])
})
