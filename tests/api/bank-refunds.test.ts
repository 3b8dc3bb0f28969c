import { expect, test } from 'vitest'
import { cancelRequests } from '#api/modules/billing/billing.schema.ts'
import type { PaymentProvider } from '#api/modules/billing/providers/provider.ts'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import { dayMilliseconds as day, dayAt } from '#api/platform/clock.ts'
import type { OrderCode } from '#contract/ids.ts'
import { myAccount } from '#tests/support/bank.ts'
import { keyed } from '#tests/support/buying.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { ctxOf, deliverDue, reconcileNow, withProvider } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const { readOrder, requestRefund, isEntitled, refunded, payByDeposit } = refunding(api)
const by = 'admin:Jo' as const

test('a refund of a bank deposit waits for an operator and is paid to the member’s refund account', async () => {
  const { tenant, member, product, order } = await payByDeposit()
  expect(order.cancel).toMatchObject({ action: 'REFUND', automatic: false, needsAccount: true })
  expect(await failureOf(requestRefund(tenant, member, order))).toMatchObject({
    status: 422,
    problem: { errors: { refundAccount: [expect.any(String)] } },
  })
  await requestRefund(tenant, member, order, { refundAccount: myAccount })
  const stored = await tenant.within((db) => db.select().from(cancelRequests))
  expect(JSON.stringify(stored)).not.toContain('333444')
  const sent: unknown[] = []
  const ctx = await ctxOf(api, tenant)
  const recordingRefund: PaymentProvider['refund'] = (...args) => {
    sent.push(args[3])
    return ctx.provider.refund(...args)
  }
  await acceptCancel(withProvider(ctx, { refund: recordingRefund }), { code: order.code as OrderCode, by })
  expect(sent).toEqual([myAccount])
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 2900 } })
  expect(await isEntitled(member, product)).toBe(false)
  expect(await tenant.within((db) => db.select().from(cancelRequests))).toMatchObject([{ refundAccount: null }])
})

test('a refund account that the bank refuses has to be entered again', async () => {
  const { tenant, member, order } = await payByDeposit()
  await requestRefund(tenant, member, order, { refundAccount: { ...myAccount, number: '110-222-330000' } })
  const code = order.code as OrderCode
  expect(await acceptCancel(await ctxOf(api, tenant), { code, by })).toEqual({ step: 'ACCEPT' })
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_REQUEST', needsRefundAccount: true })
  api.clock.advance(2 * day)
  await reconcileNow(api, tenant)
  expect(await refunded(tenant)).toEqual([0])
  const updated = await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  expect(updated).toMatchObject({ status: 'CANCEL_COMPLETE', needsRefundAccount: false })
  expect(await refunded(tenant)).toEqual([2900])
})

test('an unapplied payment and a refund of the same deposit are each paid once', async () => {
  const { tenant, member, order, bank } = await payByDeposit()
  await bank.deposit(500)
  await deliverDue(api, tenant)
  await requestRefund(tenant, member, order, { refundAccount: myAccount })
  const code = order.code as OrderCode
  await Promise.all([
    acceptCancel(await ctxOf(api, tenant), { code, by }),
    keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount }),
  ])
  await reconcileNow(api, tenant)
  expect(await readOrder(member, order)).toMatchObject({
    status: 'CANCEL_COMPLETE',
    unapplied: null,
    refundedAmount: { amount: 2900 },
  })
  expect(await refunded(tenant)).toEqual([3400])
})

test('staff transfer a refund of whoever gives no account, and the provider pays out later ones alone', async () => {
  const { tenant, member, order } = await payByDeposit()
  const staff = await tenant.createStaff('FINANCE')
  const code = order.code as OrderCode
  const { admin } = staff.client
  const write = async () => {
    const { version } = await admin.orders.get({ code })
    const headers = { 'if-match': `"${version}"` }
    return api.client(tenant.code, { token: staff.token, idempotencyKey: crypto.randomUUID(), headers }).admin
  }
  const transfer = { code, reference: 'out 1', day: dayAt(api.clock.now(), 'UTC') }
  const refund = async (amount: number) => (await write()).orders.refund({ code, amount, reason: 'No sound' })
  expect(await refund(1000)).toMatchObject({ step: 'ACCOUNT' })
  expect(await admin.home()).toMatchObject({ waiting: { refundsToTransfer: 1 } })
  expect(await admin.deposits.toReturn({})).toMatchObject({
    refunds: [{ code, amount: { amount: 1000 }, account: null, paidOutBy: 'PROVIDER' }],
  })
  expect(await admin.orders.get({ code })).toMatchObject({ refund: { needsAccount: true } })
  await (await write()).deposits.recordRefund(transfer)
  expect(await admin.home()).toMatchObject({ waiting: { refundsToTransfer: 0 } })
  expect(await admin.orders.get({ code })).toMatchObject({
    status: 'PAYMENT_COMPLETE',
    refunded: { amount: 1000 },
    refund: { outcome: 'REFUNDED', needsAccount: false },
  })
  expect(await refunded(tenant), 'nothing by the provider').toEqual([0])
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('refund-done')

  await refund(1900)
  await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
  expect(await failureOf((await write()).deposits.recordRefund({ ...transfer, reference: 'out 2' }))).toMatchObject({
    code: 'CANCEL_NOT_POSSIBLE',
  })
  expect(await readOrder(member, order)).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 2900 } })
  expect(await refunded(tenant), 'what staff did not transfer').toEqual([1900])
  expect((await admin.deposits.received({ q: code })).items).toMatchObject([{ refunded: { amount: 2900 } }])
})
