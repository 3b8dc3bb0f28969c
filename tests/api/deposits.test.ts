import { expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { remindDeposits } from '#api/modules/billing/deposits.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import type { OrderCode } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant, depositFor, myAccount } from '#tests/support/bank.ts'
import { beginToBuy, beginToPay, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { deliverDue, envOf, reconcileNow } from '#tests/support/reconciling.ts'
import type { TestMember, TestProduct } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const hour = 3_600_000

const arrange = async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const deposit = await beginToDeposit(api, tenant, member, product)
  const look = () => member.client.commerce.order({ code: deposit.order.code as OrderCode })
  return { tenant, member, product, look, ...deposit }
}

const owns = async (member: TestMember, product: TestProduct) =>
  (await member.client.catalog.product({ id: product.id })).viewer?.entitled

const books = (tenant: { within: Awaited<ReturnType<typeof createBankTenant>>['within'] }) =>
  tenant.within((db) => db.select().from(sandboxPayments))

test('an account is issued with the exact amount and a deadline, and the order waits without access', async () => {
  const { member, product, account, redirectUrl, look, tenant, order } = await arrange()
  const waiting = await look()
  expect(waiting).toMatchObject({
    status: 'DEPOSIT_WAITING',
    method: 'BANK',
    payment: { status: 'READY', amount: { amount: 2900, currency: 'USD' }, account: { number: account.number } },
    cancel: { may: 'DEPOSIT', automatic: true },
  })
  expect(Date.parse(account.dueAt)).toBeCloseTo(api.clock.now().getTime() + 168 * hour, -5)
  expect(redirectUrl).toMatch(/^\/payments\/result\?order=/)
  expect(await owns(member, product)).toBe(false)
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail).toMatchObject({ template: 'deposit-issued' })
  expect(mail?.text).toContain(account.number)
  expect(mail?.text).toContain('$29.00')
  // Asked again, it is the same account.
  expect((await depositFor(api, tenant, member, order)).account.number).toBe(account.number)
})

test('the exact deposit pays, by the signed message, once', async () => {
  const { tenant, member, product, bank, look } = await arrange()
  expect((await bank.deposit(2900, { fault: 'DUPLICATE' })).status).toBe(303)
  expect(await deliverDue(api, tenant)).toBe(3)
  const paid = await look()
  expect(paid).toMatchObject({ status: 'PAYMENT_COMPLETE', payment: { status: 'PAID' }, unapplied: null })
  expect(paid.timeline.filter(({ type }) => type === 'PAID')).toHaveLength(1)
  expect(await owns(member, product)).toBe(true)
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('receipt')
})

test('a message that comes late, and one that is lost, lose no deposit', async () => {
  const late = await arrange()
  await late.bank.deposit(2900, { fault: 'LATE' })
  expect(await deliverDue(api, late.tenant)).toBe(0)
  api.clock.advance(6_000)
  expect(await deliverDue(api, late.tenant)).toBe(1)
  expect((await late.look()).status).toBe('PAYMENT_COMPLETE')

  const lost = await arrange()
  await lost.bank.deposit(2900, { fault: 'LOST' })
  expect(await deliverDue(api, lost.tenant)).toBe(0)
  await reconcileNow(api, lost.tenant)
  expect((await lost.look()).status).toBe('PAYMENT_COMPLETE')
})

test.each([
  ['smaller', 2800],
  ['larger', 3000],
])('a %s amount pays nothing, and goes back to the account the member names', async (_, amount) => {
  const { tenant, member, bank, look, order } = await arrange()
  await bank.deposit(amount)
  await deliverDue(api, tenant)
  const waiting = await look()
  expect(waiting).toMatchObject({ status: 'DEPOSIT_WAITING', unapplied: { amount }, needsRefundAccount: true })
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('refund-account')
  // The right amount still pays, whatever lies beside it.
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect((await look()).status).toBe('PAYMENT_COMPLETE')
  await reconcileNow(api, tenant)
  expect((await books(tenant))[0]?.refundedAmount).toBe(0)

  const given = await keyed(api, tenant, member).commerce.setRefundAccount({
    code: order.code as OrderCode,
    refundAccount: myAccount,
  })
  expect(given).toMatchObject({ status: 'PAYMENT_COMPLETE', unapplied: null, needsRefundAccount: false })
  expect(given.timeline.at(-1)).toMatchObject({ type: 'UNAPPLIED_PAYMENT_REFUNDED', amount: { amount } })
  expect((await books(tenant))[0]?.refundedAmount).toBe(amount)
  const [refund] = await tenant.within((db) => db.select().from(cases))
  expect(refund).toMatchObject({ status: 'COMPLETE' })
  // The account is kept sealed while it is needed, and not at all afterwards.
  expect(JSON.stringify(refund)).not.toContain('333444')
  expect(refund?.data).toMatchObject({ account: null })
})

test('an account that the bank refuses is asked for again, and nothing goes back twice', async () => {
  const { tenant, member, bank, look, order } = await arrange()
  await bank.deposit(100)
  await deliverDue(api, tenant)
  const give = (number: string) =>
    keyed(api, tenant, member).commerce.setRefundAccount({
      code: order.code as OrderCode,
      refundAccount: { ...myAccount, number },
    })
  expect(await give('110-222-330000')).toMatchObject({ unapplied: { amount: 100 }, needsRefundAccount: true })
  expect((await look()).timeline.at(-1)).toMatchObject({ type: 'REFUND_FAILED', detail: 'ACCOUNT_REFUSED' })
  expect(await give('110-222-333444')).toMatchObject({ unapplied: null, needsRefundAccount: false })
  expect(await failureOf(give('110-222-333444'))).toMatchObject({ status: 409, code: 'CANCEL_NOT_POSSIBLE' })
  expect((await books(tenant))[0]?.refundedAmount).toBe(100)
})

test('when the deadline passes unpaid the order fails, and what comes after it goes back', async () => {
  const { tenant, member, product, bank, look, order } = await arrange()
  api.clock.advance(168 * hour + 1000)
  await reconcileNow(api, tenant)
  expect(await look()).toMatchObject({ status: 'PAYMENT_FAIL', payment: { failure: 'DEPOSIT_EXPIRED', account: null } })
  await bank.deposit(2900, { fault: 'LOST' })
  // An account whose messages are lost is asked about once an hour.
  api.clock.advance(hour + 1000)
  await reconcileNow(api, tenant)
  expect(await look()).toMatchObject({ status: 'PAYMENT_FAIL', unapplied: { amount: 2900 }, needsRefundAccount: true })
  expect(await owns(member, product)).toBe(false)
  const code = order.code as OrderCode
  await keyed(api, tenant, member).commerce.setRefundAccount({ code, refundAccount: myAccount })
  expect((await books(tenant))[0]?.refundedAmount).toBe(2900)
  expect((await look()).status).toBe('PAYMENT_FAIL')
  const templates = (await mailsTo(tenant, member.email)).map(({ template }) => template)
  expect(templates).toEqual(expect.arrayContaining(['deposit-expired', 'refund-account', 'unapplied-returned']))
})

test('a deposit whose message was lost is found at the deadline: paid, not failed', async () => {
  const { tenant, bank, look } = await arrange()
  await bank.deposit(2900, { fault: 'LOST' })
  api.clock.advance(169 * hour)
  await reconcileNow(api, tenant)
  expect((await look()).status).toBe('PAYMENT_COMPLETE')
})

test('a deposit that the bank says came too late fails the order at once', async () => {
  const { tenant, bank, look } = await arrange()
  await bank.deposit(2900, { late: true })
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'PAYMENT_FAIL', unapplied: { amount: 2900 } })
})

test('a member cancels before paying: nothing to refund, and the account is closed', async () => {
  const { tenant, member, bank, look, order } = await arrange()
  const code = order.code as OrderCode
  const cancelled = await keyed(api, tenant, member).commerce.requestCancel({ code, reason: 'Changed my mind' })
  expect(cancelled).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 0 }, cancel: { may: 'NONE' } })
  expect(cancelled.timeline.at(-1)).toMatchObject({ type: 'CANCELLED' })
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'CANCEL_COMPLETE', unapplied: { amount: 2900 } })
})

test('a deposit that has just come is not cancelled away', async () => {
  const { tenant, member, product, bank, look, order } = await arrange()
  await bank.deposit(2900, { fault: 'LOST' })
  const asked = keyed(api, tenant, member).commerce.requestCancel({ code: order.code as OrderCode, reason: 'No' })
  expect(await failureOf(asked)).toMatchObject({ status: 409, code: 'CANCEL_NOT_POSSIBLE' })
  expect((await look()).status).toBe('PAYMENT_COMPLETE')
  expect(await owns(member, product)).toBe(true)
})

test('a second exact deposit is surplus and goes back', async () => {
  const { tenant, bank, look } = await arrange()
  await bank.deposit(2900)
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  const paid = await look()
  expect(paid).toMatchObject({ status: 'PAYMENT_COMPLETE', unapplied: { amount: 2900 } })
  expect(paid.timeline.find(({ type }) => type === 'UNAPPLIED_PAYMENT')).toMatchObject({ detail: 'SURPLUS' })
})

test('an order that waits for a deposit is paid by card instead; the account is closed first', async () => {
  const { tenant, member, product, bank, look, order } = await arrange()
  const first = await beginToPay(api, tenant, member, order)
  await first.page.pay(cards.declined)
  await member.client.commerce.confirmPayment({ id: first.paymentId })
  const declined = await look()
  expect(declined).toMatchObject({ status: 'DEPOSIT_WAITING', payment: { method: 'CARD', status: 'FAILED' } })
  expect(declined.timeline.map(({ type }) => type)).toContain('METHOD_CHANGED')

  const again = await depositFor(api, tenant, member, order)
  expect(again.account.number).not.toBe(bank)
  const second = await beginToPay(api, tenant, member, order)
  await second.page.pay(cards.success)
  await member.client.commerce.confirmPayment({ id: second.paymentId })
  expect(await look()).toMatchObject({ status: 'PAYMENT_COMPLETE', method: 'CARD' })
  expect(await owns(member, product)).toBe(true)
  await bank.deposit(2900)
  await again.bank.deposit(2900)
  await deliverDue(api, tenant)
  expect(await look()).toMatchObject({ status: 'PAYMENT_COMPLETE', unapplied: { amount: 5800 } })
})

test('a deposit that arrives while the method is changed pays, and no card is asked for', async () => {
  const { tenant, member, bank, look, order } = await arrange()
  await bank.deposit(2900, { fault: 'LOST' })
  expect(await failureOf(beginToPay(api, tenant, member, order))).toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  expect((await look()).status).toBe('PAYMENT_COMPLETE')
})

test('what waits for a deposit is not paid for a second time', async () => {
  const { tenant, member, product, order } = await arrange()
  expect(await failureOf(beginToBuy(api, tenant, member, product))).toMatchObject({
    status: 409,
    code: 'DEPOSIT_OPEN',
    problem: { data: { code: order.code } },
  })
})

test('what is paid by deposit leaves the cart as soon as the account is issued', async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  await member.client.commerce.addToCart({ productId: product.id, optionId: product.optionId! })
  const order = await keyed(api, tenant, member).commerce.placeOrder(terms(tenant))
  await depositFor(api, tenant, member, order)
  expect((await member.client.commerce.cart()).items).toEqual([])
})

test('a day before the deadline there is a reminder, once', async () => {
  const { tenant, member } = await arrange()
  const remind = async () => {
    const env = await envOf(api, tenant)
    await env.inTransaction((ctx) => remindDeposits(ctx, 100))
    const mails = await mailsTo(tenant, member.email)
    return mails.filter(({ template }) => template === 'deposit-reminder').length
  }
  expect(await remind()).toBe(0)
  api.clock.advance(145 * hour)
  expect(await remind()).toBe(1)
  api.clock.advance(hour)
  expect(await remind()).toBe(1)
})
