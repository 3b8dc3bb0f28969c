import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import { settle } from '#api/modules/billing/settle-payment.ts'
import type { OrderCode, OrderItemId } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant, depositFor, myAccount } from '#tests/support/bank.ts'
import { keyed, terms } from '#tests/support/buying.ts'
import { moneyOf } from '#tests/support/money-rows.ts'
import { ctxOf, deliverDue, reconcileNow, withProvider } from '#tests/support/reconciling.ts'
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
  const readOrder = () => member.client.orders.order({ code: deposit.order.code as OrderCode })
  return { tenant, member, product, readOrder, ...deposit }
}

const payByDeposit = async () => {
  const arranged = await arrange()
  await arranged.bank.deposit(2900)
  await deliverDue(api, arranged.tenant)
  return arranged
}

const isEntitled = async (member: TestMember, product: TestProduct) =>
  (await member.client.catalog.product({ id: product.id })).viewer?.entitled

const refunded = async (tenant: Tenant) =>
  (await tenant.within((db) => db.select().from(sandboxPayments))).map((row) => row.refundedAmount)

const requestRefund = (
  tenant: Tenant,
  member: TestMember,
  order: { code: string },
  more: Partial<Parameters<TestMember['client']['billing']['requestCancel']>[0]> = {},
) =>
  keyed(api, tenant, member).billing.requestCancel({
    code: order.code as OrderCode,
    reason: 'I bought it twice',
    ...more,
  })

/** Open cases of refunded deposits that the bank has reversed. */
const openReversalCases = (tenant: Tenant) =>
  tenant.within(async (db) => {
    const rows = await db
      .select()
      .from(cases)
      .where(and(eq(cases.customerId, tenant.id), eq(cases.status, 'WAIT')))
    return rows.map(({ data }) => data).filter(({ kind }) => kind === 'DEPOSIT_REVERSED')
  })

test('a reversed deposit sets the order to waiting and revokes access until it is paid again', async () => {
  const { tenant, member, product, bank, readOrder } = await arrange()
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect((await bank.reverse()).status).toBe(303)
  await deliverDue(api, tenant)
  const waiting = await readOrder()
  expect(waiting).toMatchObject({ status: 'DEPOSIT_WAITING', payment: { status: 'READY' }, paidAt: null })
  expect(waiting.timeline.at(-1)).toMatchObject({ type: 'DEPOSIT_REVERSED', amount: { amount: 2900 } })
  expect(await isEntitled(member, product)).toBe(false)
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'WAIT' }])
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect((await readOrder()).status).toBe('PAYMENT_COMPLETE')
  expect(await isEntitled(member, product)).toBe(true)

  await bank.reverse(0, 'LOST')
  await reconcileNow(api, tenant)
  expect((await readOrder()).status).toBe('DEPOSIT_WAITING')
  api.clock.advance(169 * hour)
  await reconcileNow(api, tenant)
  expect((await readOrder()).status).toBe('PAYMENT_FAIL')
  expect(await isEntitled(member, product)).toBe(false)
})

test('concurrent webhooks, confirmations and reconciliations of a reversal end in the bank’s status', async () => {
  const { tenant, member, product, bank, readOrder, paymentId } = await arrange()
  for (const status of ['PAYMENT_COMPLETE', 'DEPOSIT_WAITING', 'PAYMENT_COMPLETE']) {
    await (status === 'PAYMENT_COMPLETE' ? bank.deposit(2900) : bank.reverse())
    await Promise.all([
      ...Array.from({ length: 6 }, () => member.client.billing.confirmPayment({ id: paymentId })),
      ...Array.from({ length: 6 }, () => sendWebhook(api, tenant, { reference: paymentId })),
      reconcileNow(api, tenant),
    ])
    await reconcileNow(api, tenant)
    expect((await readOrder()).status).toBe(status)
    expect(await isEntitled(member, product)).toBe(status === 'PAYMENT_COMPLETE')
  }
})

test('a reversed deposit of a wrong amount leaves nothing to refund', async () => {
  const { tenant, bank, readOrder } = await arrange()
  await bank.deposit(100)
  await deliverDue(api, tenant)
  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'DEPOSIT_WAITING', unapplied: null, needsRefundAccount: false })
  expect(await tenant.within((db) => db.select().from(cases))).toMatchObject([{ status: 'COMPLETE' }])
})

test('a reversed deposit with a pending refund request completes the request without a second refund', async () => {
  const { tenant, member, order, bank, product, readOrder } = await payByDeposit()
  await requestRefund(tenant, member, order, { refundAccount: myAccount })
  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE', refund: { outcome: 'REFUNDED' } })
  expect(await isEntitled(member, product)).toBe(false)
  expect(await refunded(tenant)).toEqual([0])
})

test('a reversed deposit is not refunded from an unapplied payment', async () => {
  const { tenant, member, order, bank, readOrder } = await payByDeposit()
  await requestRefund(tenant, member, order, { refundAccount: myAccount })
  await bank.deposit(2900, { fault: 'LOST' })
  await bank.reverse(0, 'LOST')
  // The store has received neither webhook when the refund is accepted.
  const code = order.code as OrderCode
  expect(await acceptCancel(await ctxOf(api, tenant), { code, by })).toEqual({ step: 'ACCEPT' })
  expect(await refunded(tenant)).toEqual([0])
  await reconcileNow(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE', unapplied: { amount: 2900 } })
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  expect(await refunded(tenant)).toEqual([2900])
})

test('a refunded deposit cannot be reversed by the bank', async () => {
  const { tenant, member, order, bank } = await payByDeposit()
  await requestRefund(tenant, member, order, { refundAccount: myAccount })
  await acceptCancel(await ctxOf(api, tenant), { code: order.code as OrderCode, by })
  expect((await bank.reverse()).status).toBe(409)
})

/** A provider that refunds, but whose answer is lost. */
const losesAnswers = (ctx: PaymentCtx) =>
  withProvider(ctx, {
    refund: async (...args) => {
      await ctx.provider.refund(...args)
      throw new ProviderUnavailable('The line broke.')
    },
  })

/** An order of two products, paid by deposit. */
const paidForTwo = async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const [film, book] = [await tenant.createProduct({ price: 2900 }), await tenant.createProduct({ price: 1100 })]
  for (const { id, optionId } of [film, book])
    await member.client.orders.addToCart({ productId: id, optionId: optionId! })
  const draft = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
  const { bank, order, paymentId } = await depositFor(api, tenant, member, draft)
  await bank.deposit(4000)
  await deliverDue(api, tenant)
  const itemOf = ({ id }: TestProduct) => order.items.find((item) => item.product.id === id)!.id as OrderItemId
  const readOrder = () => member.client.orders.order({ code: order.code as OrderCode })
  return { tenant, member, film, book, bank, order, paymentId, readOrder, itemOf }
}

/** An order of two products, paid by deposit, with one item refunded. */
const partlyRefunded = async () => {
  const paid = await paidForTwo()
  const { tenant, member, order, book, itemOf, readOrder } = paid
  await requestRefund(tenant, member, order, { itemIds: [itemOf(book)], refundAccount: myAccount })
  await acceptCancel(await ctxOf(api, tenant), { code: order.code as OrderCode, by })
  expect(await readOrder()).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: { amount: 1100 } })
  return paid
}

test('a reversed deposit of a partly refunded order is due in full, and a case records the refunded part', async () => {
  const { tenant, member, film, book, bank, order, readOrder } = await partlyRefunded()
  expect((await bank.reverse()).status).toBe(303)
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'DEPOSIT_WAITING', payment: { amount: { amount: 4000 } } })
  expect(await openReversalCases(tenant)).toMatchObject([{ amount: 4000, refundedAmount: 1100 }])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 0, refunded: 1100, timeline: -1100, owed: 1100 })

  await bank.deposit(4000)
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: { amount: 1100 } })
  expect([await isEntitled(member, film), await isEntitled(member, book)]).toEqual([true, false])
  expect(await openReversalCases(tenant)).toEqual([])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 4000, refunded: 1100, timeline: 2900, owed: 0 })

  // The rest of the order can be refunded as usual.
  const remainingItems = (await readOrder()).items.filter((item) => !item.refunded).map(({ id }) => id as OrderItemId)
  await requestRefund(tenant, member, order, { itemIds: remainingItems, refundAccount: myAccount })
  await acceptCancel(await ctxOf(api, tenant), { code: order.code as OrderCode, by })
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 4000 } })
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 4000, refunded: 4000, timeline: 0 })
})

test('a deposit reversed during the refund of the other items ends the order, and a case records the double refund', async () => {
  const { tenant, member, film, bank, order, readOrder, itemOf } = await partlyRefunded()
  await requestRefund(tenant, member, order, { itemIds: [itemOf(film)], refundAccount: myAccount })
  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 4000 } })
  expect(await isEntitled(member, film)).toBe(false)
  expect(await openReversalCases(tenant)).toMatchObject([{ amount: 4000, refundedAmount: 1100 }])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 0, refunded: 1100, timeline: -1100, owed: 1100 })
})

test('a deposit reversed after its full refund opens one case', async () => {
  const { tenant, member, order, readOrder, paymentId } = await payByDeposit()
  await requestRefund(tenant, member, order, { refundAccount: myAccount })
  await acceptCancel(await ctxOf(api, tenant), { code: order.code as OrderCode, by })
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE' })
  const ctx = await ctxOf(api, tenant)
  const reversed = withProvider(ctx, {
    query: async (...args) => ({ ...(await ctx.provider.query(...args))!, status: 'FAILED' }),
  })
  api.clock.advance(1000)
  for (let round = 0; round < 3; round++) await settle(reversed, paymentId, 'WEBHOOK')
  const { timeline, status } = await readOrder()
  expect(status).toBe('CANCEL_COMPLETE')
  expect(timeline.filter(({ type }) => type === 'DEPOSIT_REVERSED')).toHaveLength(1)
  expect(await openReversalCases(tenant)).toMatchObject([{ amount: 2900, refundedAmount: 2900 }])
})

test('a refund whose answer was lost counts as refunded when the bank reverses the deposit afterwards', async () => {
  const { tenant, member, order, film, book, bank, itemOf, readOrder } = await paidForTwo()
  await requestRefund(tenant, member, order, { itemIds: [itemOf(book)], refundAccount: myAccount })
  await acceptCancel(losesAnswers(await ctxOf(api, tenant)), { code: order.code as OrderCode, by })
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_REQUEST', refundedAmount: { amount: 0 } })

  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'DEPOSIT_WAITING', refundedAmount: { amount: 1100 } })
  expect(await openReversalCases(tenant)).toMatchObject([{ amount: 4000, refundedAmount: 1100 }])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 0, refunded: 1100, timeline: -1100, owed: 1100 })

  await bank.deposit(4000)
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'PAYMENT_COMPLETE', refundedAmount: { amount: 1100 } })
  expect([await isEntitled(member, film), await isEntitled(member, book)]).toEqual([true, false])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 4000, refunded: 1100, timeline: 2900, owed: 0 })
})

test('a full refund whose answer was lost before a reversal opens a case over the whole amount', async () => {
  const { tenant, member, order, bank, readOrder } = await paidForTwo()
  await bank.deposit(4000)
  await deliverDue(api, tenant)
  await requestRefund(tenant, member, order, { refundAccount: myAccount })
  await acceptCancel(losesAnswers(await ctxOf(api, tenant)), { code: order.code as OrderCode, by })
  await bank.reverse()
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 4000 } })
  expect(await openReversalCases(tenant)).toMatchObject([{ amount: 4000, refundedAmount: 4000 }])
  expect(await moneyOf(tenant, order.code)).toMatchObject({ received: 4000, refunded: 4000, timeline: 0, owed: 4000 })
})
