import { expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { remindDeposits } from '#api/modules/billing/deposits.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import type { Customer } from '#api/platform/context.ts'
import type { OrderCode } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant, depositFor, myAccount } from '#tests/support/bank.ts'
import { beginToBuy, beginToPay, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { ctxOf, deliverDue, reconcileNow } from '#tests/support/reconciling.ts'
import type { TestMember, TestProduct } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const hour = 3_600_000

const arrange = async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const deposit = await beginToDeposit(api, tenant, member, product)
  const readOrder = () => member.client.orders.order({ code: deposit.order.code as OrderCode })
  return { tenant, member, product, readOrder, ...deposit }
}

const owns = async (member: TestMember, product: TestProduct) =>
  (await member.client.catalog.product({ id: product.id })).viewer?.entitled

const providerPayments = (tenant: { within: Awaited<ReturnType<typeof createBankTenant>>['within'] }) =>
  tenant.within((db) => db.select().from(sandboxPayments))

test('a deposit account is issued with amount and deadline, and the order waits without access', async () => {
  const { member, product, account, redirectUrl, readOrder, tenant, order } = await arrange()
  const waiting = await readOrder()
  expect(waiting).toMatchObject({
    status: 'DEPOSIT_WAITING',
    method: 'BANK',
    payment: { status: 'READY', amount: { amount: 2900, currency: 'USD' }, account: { number: account.number } },
    cancel: { action: 'DEPOSIT', automatic: true },
  })
  expect(Date.parse(account.dueAt)).toBeCloseTo(api.clock.now().getTime() + 168 * hour, -5)
  expect(redirectUrl).toMatch(/^\/payments\/result\?order=/)
  expect(await owns(member, product)).toBe(false)
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail).toMatchObject({ template: 'deposit-issued' })
  expect(mail?.text).toContain(account.number)
  expect(mail?.text).toContain('$29.00')
  // A second request returns the same account.
  expect((await depositFor(api, tenant, member, order)).account.number).toBe(account.number)
})

test('a product says that an order of it waits for a transfer, to the buyer alone and until it ends', async () => {
  const { tenant, member, product, account, order } = await arrange()
  const awaited = async ({ client }: Pick<TestMember, 'client'>) =>
    (await client.catalog.product({ id: product.id })).viewer?.awaitingTransfer
  const waiting = { order: order.code, until: new Date(account.dueAt).toISOString() }
  expect(await awaited(member)).toEqual(waiting)
  expect(await awaited(await tenant.createMember())).toBeNull()
  const cart = await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  expect(cart.items).toMatchObject([{ product: { viewer: { awaitingTransfer: waiting } } }])
  await keyed(api, tenant, member).billing.requestCancel({ code: order.code as OrderCode, reason: 'Bought by mistake' })
  expect(await awaited(member)).toBeNull()
})

test('a deposit of the exact amount pays the order once, with duplicate webhooks too', async () => {
  const { tenant, member, product, bank, readOrder } = await arrange()
  expect((await bank.deposit(2900, { fault: 'DUPLICATE' })).status).toBe(303)
  expect(await deliverDue(api, tenant)).toBe(3)
  const paid = await readOrder()
  expect(paid).toMatchObject({ status: 'PAYMENT_COMPLETE', payment: { status: 'PAID' }, unapplied: null })
  expect(paid.timeline.filter(({ type }) => type === 'PAID')).toHaveLength(1)
  expect(await owns(member, product)).toBe(true)
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('receipt')
})

test('a deposit whose webhook is late or lost pays the order', async () => {
  const late = await arrange()
  await late.bank.deposit(2900, { fault: 'LATE' })
  expect(await deliverDue(api, late.tenant)).toBe(0)
  api.clock.advance(6_000)
  expect(await deliverDue(api, late.tenant)).toBe(1)
  expect((await late.readOrder()).status).toBe('PAYMENT_COMPLETE')

  const lost = await arrange()
  await lost.bank.deposit(2900, { fault: 'LOST' })
  expect(await deliverDue(api, lost.tenant)).toBe(0)
  await reconcileNow(api, lost.tenant)
  expect((await lost.readOrder()).status).toBe('PAYMENT_COMPLETE')
})

test.each([
  ['smaller', 2800],
  ['larger', 3000],
])('a deposit of a %s amount pays nothing and is refunded to the member’s account', async (_, amount) => {
  const { tenant, member, bank, readOrder, order } = await arrange()
  await bank.deposit(amount)
  await deliverDue(api, tenant)
  const waiting = await readOrder()
  expect(waiting).toMatchObject({ status: 'DEPOSIT_WAITING', unapplied: { amount }, needsRefundAccount: true })
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('refund-account')
  // The exact amount still pays beside the unapplied payment.
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect((await readOrder()).status).toBe('PAYMENT_COMPLETE')
  await reconcileNow(api, tenant)
  expect((await providerPayments(tenant))[0]?.refundedAmount).toBe(0)

  const updated = await keyed(api, tenant, member).billing.setRefundAccount({
    code: order.code as OrderCode,
    refundAccount: myAccount,
  })
  expect(updated).toMatchObject({ status: 'PAYMENT_COMPLETE', unapplied: null, needsRefundAccount: false })
  expect(updated.timeline.at(-1)).toMatchObject({ type: 'UNAPPLIED_PAYMENT_REFUNDED', amount: { amount } })
  expect((await providerPayments(tenant))[0]?.refundedAmount).toBe(amount)
  const [refund] = await tenant.within((db) => db.select().from(cases))
  expect(refund).toMatchObject({ status: 'COMPLETE' })
  // The account is stored encrypted while it is needed, and deleted afterwards.
  expect(JSON.stringify(refund)).not.toContain('333444')
  expect(refund?.data).toMatchObject({ account: null })
})

test('a refund account that the bank refuses has to be entered again, and the deposit is refunded once', async () => {
  const { tenant, member, bank, readOrder, order } = await arrange()
  await bank.deposit(100)
  await deliverDue(api, tenant)
  const setRefundAccount = (number: string) =>
    keyed(api, tenant, member).billing.setRefundAccount({
      code: order.code as OrderCode,
      refundAccount: { ...myAccount, number },
    })
  expect(await setRefundAccount('110-222-330000')).toMatchObject({
    unapplied: { amount: 100 },
    needsRefundAccount: true,
  })
  expect((await readOrder()).timeline.at(-1)).toMatchObject({ type: 'REFUND_FAILED', detail: 'ACCOUNT_REFUSED' })
  expect(await setRefundAccount('110-222-333444')).toMatchObject({ unapplied: null, needsRefundAccount: false })
  expect(await failureOf(setRefundAccount('110-222-333444'))).toMatchObject({
    status: 409,
    code: 'CANCEL_NOT_POSSIBLE',
  })
  expect((await providerPayments(tenant))[0]?.refundedAmount).toBe(100)
})

test('an order without a deposit at the deadline fails, and a later deposit is refunded', async () => {
  const { tenant, member, product, bank, readOrder, order } = await arrange()
  api.clock.advance(168 * hour + 1000)
  await reconcileNow(api, tenant)
  expect(await readOrder()).toMatchObject({
    status: 'PAYMENT_FAIL',
    payment: { failure: 'DEPOSIT_EXPIRED', account: null },
  })
  await bank.deposit(2900, { fault: 'LOST' })
  // An account is queried once an hour, in case its webhooks are lost.
  api.clock.advance(hour + 1000)
  await reconcileNow(api, tenant)
  expect(await readOrder()).toMatchObject({
    status: 'PAYMENT_FAIL',
    unapplied: { amount: 2900 },
    needsRefundAccount: true,
  })
  expect(await owns(member, product)).toBe(false)
  const code = order.code as OrderCode
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  expect((await providerPayments(tenant))[0]?.refundedAmount).toBe(2900)
  expect((await readOrder()).status).toBe('PAYMENT_FAIL')
  const templates = (await mailsTo(tenant, member.email)).map(({ template }) => template)
  expect(templates).toEqual(expect.arrayContaining(['deposit-expired', 'refund-account', 'unapplied-returned']))
})

test('a deposit whose webhook was lost is found at the deadline and pays the order', async () => {
  const { tenant, bank, readOrder } = await arrange()
  await bank.deposit(2900, { fault: 'LOST' })
  api.clock.advance(169 * hour)
  await reconcileNow(api, tenant)
  expect((await readOrder()).status).toBe('PAYMENT_COMPLETE')
})

test('a deposit that the bank reports as late fails the order at once', async () => {
  const { tenant, bank, readOrder } = await arrange()
  await bank.deposit(2900, { late: true })
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'PAYMENT_FAIL', unapplied: { amount: 2900 } })
})

test('cancelling before the deposit refunds nothing, and a later deposit stays unapplied', async () => {
  const { tenant, member, bank, readOrder, order } = await arrange()
  const code = order.code as OrderCode
  const cancelled = await keyed(api, tenant, member).billing.requestCancel({ code, reason: 'Changed my mind' })
  expect(cancelled).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 0 },
    cancel: { action: 'NONE' },
  })
  expect(cancelled.timeline.at(-1)).toMatchObject({ type: 'CANCELLED' })
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE', unapplied: { amount: 2900 } })
})

/** Runs `meanwhile` once, when the provider has just created the next payment. */
const onceCreated = (meanwhile: () => Promise<unknown>) => {
  const { provider } = api.deps.sandbox
  const { createPayment } = provider
  provider.createPayment = async (...given) => {
    provider.createPayment = createPayment
    const created = await createPayment(...given)
    await meanwhile()
    return created
  }
}

test('starting the payment again fails if the order is cancelled in another window at that moment', async () => {
  const { tenant, member, readOrder, order } = await arrange()
  onceCreated(() => keyed(api, tenant, member).billing.requestCancel({ code: order.code, reason: 'Changed my mind' }))
  const starting = depositFor(api, tenant, member, order)
  expect(await failureOf(starting)).toMatchObject({ status: 409, code: 'ORDER_NOT_PAYABLE' })
  expect(await readOrder()).toMatchObject({ status: 'CANCEL_COMPLETE', payment: { account: null } })
})

test('a card payment that a deposit replaces while it is created does not send the buyer to its closed page', async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2900 })
  const { order } = await beginToBuy(api, tenant, member, product)
  onceCreated(() => depositFor(api, tenant, member, order))
  const starting = beginToPay(api, tenant, member, order)
  expect(await failureOf(starting)).toMatchObject({ status: 409, code: 'ORDER_NOT_PAYABLE' })
  expect(await member.client.orders.order({ code: order.code as OrderCode })).toMatchObject({
    status: 'DEPOSIT_WAITING',
    method: 'BANK',
  })
  const created = await providerPayments(tenant)
  expect(created.map(({ method, status }) => `${method} ${status}`).sort()).toEqual(['BANK READY', 'CARD CANCELLED'])
})

test('cancelling an order whose deposit has arrived is refused and the order is completed', async () => {
  const { tenant, member, product, bank, readOrder, order } = await arrange()
  await bank.deposit(2900, { fault: 'LOST' })
  const attempt = keyed(api, tenant, member).billing.requestCancel({ code: order.code as OrderCode, reason: 'No' })
  expect(await failureOf(attempt)).toMatchObject({ status: 409, code: 'CANCEL_NOT_POSSIBLE' })
  expect((await readOrder()).status).toBe('PAYMENT_COMPLETE')
  expect(await owns(member, product)).toBe(true)
})

test('a second exact deposit is an unapplied surplus', async () => {
  const { tenant, bank, readOrder } = await arrange()
  await bank.deposit(2900)
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  const paid = await readOrder()
  expect(paid).toMatchObject({ status: 'PAYMENT_COMPLETE', unapplied: { amount: 2900 } })
  expect(paid.timeline.find(({ type }) => type === 'UNAPPLIED_PAYMENT')).toMatchObject({ detail: 'SURPLUS' })
})

test('a surplus that the bank had reversed before its refund is a case for staff, also when the order is paid again', async () => {
  const { tenant, member, bank, readOrder, order } = await arrange()
  await bank.deposit(2900)
  await bank.deposit(2000)
  await deliverDue(api, tenant)
  const code = order.code as OrderCode
  // The store has not heard of it when it refunds.
  await bank.reverse(1, 'LOST')
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  expect(await readOrder()).toMatchObject({ status: 'PAYMENT_COMPLETE', unapplied: null })

  for (let round = 0; round < 2; round++) {
    api.clock.advance(2 * hour)
    await reconcileNow(api, tenant)
  }
  const { client } = await tenant.createStaff('OWNER')
  const reversals = async () =>
    (await client.admin.cases.list({})).items.filter(({ subject }) => subject.includes('paid out'))
  const [reversal, ...more] = await reversals()
  expect(more).toEqual([])
  expect(reversal).toMatchObject({ type: 'ORDER_CANCEL', order: code, closable: true })
  const { timeline } = await readOrder()
  expect(timeline.slice(-2).map(({ type, amount }) => [type, amount?.amount])).toEqual([
    ['UNAPPLIED_PAYMENT_REFUNDED', 2000],
    ['DEPOSIT_REVERSED', 2000],
  ])

  await bank.reverse(0)
  await deliverDue(api, tenant)
  expect((await readOrder()).status).toBe('DEPOSIT_WAITING')
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  expect((await readOrder()).status).toBe('PAYMENT_COMPLETE')
  expect(await reversals()).toHaveLength(1)
  await client.admin.cases.close({ id: reversal!.id, note: 'The member paid it back.' })
  expect(await reversals()).toEqual([])
})

test('an order that waits for a deposit can be paid by card, and later deposits stay unapplied', async () => {
  const { tenant, member, product, bank, readOrder, order } = await arrange()
  const first = await beginToPay(api, tenant, member, order)
  await first.page.pay(cards.declined)
  await member.client.billing.confirmPayment({ id: first.paymentId })
  const declined = await readOrder()
  expect(declined).toMatchObject({ status: 'DEPOSIT_WAITING', payment: { method: 'CARD', status: 'FAILED' } })
  expect(declined.timeline.map(({ type }) => type)).toContain('METHOD_CHANGED')

  const again = await depositFor(api, tenant, member, order)
  expect(again.account.number).not.toBe(bank)
  const second = await beginToPay(api, tenant, member, order)
  await second.page.pay(cards.success)
  await member.client.billing.confirmPayment({ id: second.paymentId })
  expect(await readOrder()).toMatchObject({ status: 'PAYMENT_COMPLETE', method: 'CARD' })
  expect(await owns(member, product)).toBe(true)
  await bank.deposit(2900)
  await again.bank.deposit(2900)
  await deliverDue(api, tenant)
  expect(await readOrder()).toMatchObject({ status: 'PAYMENT_COMPLETE', unapplied: { amount: 5800 } })
})

test('a deposit that arrives before a change to card pays the order, and the change is refused', async () => {
  const { tenant, member, bank, readOrder, order } = await arrange()
  await bank.deposit(2900, { fault: 'LOST' })
  expect(await failureOf(beginToPay(api, tenant, member, order))).toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  expect((await readOrder()).status).toBe('PAYMENT_COMPLETE')
})

test('buying a product whose order waits for a deposit is refused with DEPOSIT_OPEN', async () => {
  const { tenant, member, product, order } = await arrange()
  expect(await failureOf(beginToBuy(api, tenant, member, product))).toMatchObject({
    status: 409,
    code: 'DEPOSIT_OPEN',
    problem: { data: { code: order.code } },
  })
})

test('issuing a deposit account removes the ordered items from the cart', async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  const order = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
  await depositFor(api, tenant, member, order)
  expect((await member.client.orders.cart()).items).toEqual([])
})

test('a deposit reminder is sent once, a day before the deadline', async () => {
  const { tenant, member } = await arrange()
  const remind = async (state: Partial<Customer> = {}) => {
    const ctx = await ctxOf(api, tenant)
    await ctx.inTransaction(({ customer, db, clock }) =>
      remindDeposits({ customer: { ...customer, ...state }, db, clock }, 100),
    )
    const mails = await mailsTo(tenant, member.email)
    return mails.filter(({ template }) => template === 'deposit-reminder').length
  }
  expect(await remind()).toBe(0)
  api.clock.advance(145 * hour)
  // Nobody is asked to pay a store that is offline, for a while or for good.
  expect(await remind({ useSite: false })).toBe(0)
  expect(await remind({ useCustomer: false })).toBe(0)
  expect(await remind()).toBe(1)
  api.clock.advance(hour)
  expect(await remind()).toBe(1)
})
