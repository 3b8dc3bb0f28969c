import { expect, test } from 'vitest'
import { cancelRequests } from '#api/modules/billing/billing.schema.ts'
import type { PaymentProvider } from '#api/modules/billing/providers/provider.ts'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import { dayMilliseconds as day } from '#api/platform/clock.ts'
import type { OrderCode } from '#contract/ids.ts'
import { myAccount } from '#tests/support/bank.ts'
import { keyed } from '#tests/support/buying.ts'
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
