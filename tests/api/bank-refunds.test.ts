import { expect, test } from 'vitest'
import { cancelRequests } from '#api/modules/billing/billing.schema.ts'
import type { PaymentProvider } from '#api/modules/billing/providers/provider.ts'
import { acceptCancel } from '#api/modules/billing/refund-decisions.ts'
import type { OrderCode } from '#contract/ids.ts'
import { myAccount } from '#tests/support/bank.ts'
import { keyed } from '#tests/support/buying.ts'
import { behaving, deliverDue, envOf, reconcileNow } from '#tests/support/reconciling.ts'
import { refunding } from '#tests/support/refunding.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const { look, ask, owns, refunded, deposited } = refunding(api)
const day = 86_400_000
const by = 'admin:Jo' as const

test('what was paid by bank waits for an operator and goes back to the account the member gave', async () => {
  const { tenant, member, product, order } = await deposited()
  expect(order.cancel).toMatchObject({ may: 'REFUND', automatic: false, needsAccount: true })
  expect(await failureOf(ask(tenant, member, order))).toMatchObject({
    status: 422,
    problem: { errors: { refundAccount: [expect.any(String)] } },
  })
  await ask(tenant, member, order, { refundAccount: myAccount })
  const kept = await tenant.within((db) => db.select().from(cancelRequests))
  expect(JSON.stringify(kept)).not.toContain('333444')
  const sent: unknown[] = []
  const env = await envOf(api, tenant)
  const watched: PaymentProvider['refund'] = (...given) => {
    sent.push(given[3])
    return env.provider.refund(...given)
  }
  await acceptCancel(behaving(env, { refund: watched }), { code: order.code as OrderCode, by })
  expect(sent).toEqual([myAccount])
  expect(await look(member, order)).toMatchObject({ status: 'CANCEL_COMPLETE', refundedAmount: { amount: 2900 } })
  expect(await owns(member, product)).toBe(false)
  expect(await tenant.within((db) => db.select().from(cancelRequests))).toMatchObject([{ refundAccount: null }])
})

test('a refund account that the bank refuses is asked for again', async () => {
  const { tenant, member, order } = await deposited()
  await ask(tenant, member, order, { refundAccount: { ...myAccount, number: '110-222-330000' } })
  const code = order.code as OrderCode
  expect(await acceptCancel(await envOf(api, tenant), { code, by })).toEqual({ step: 'ACCEPT' })
  expect(await look(member, order)).toMatchObject({ status: 'CANCEL_REQUEST', needsRefundAccount: true })
  api.clock.advance(2 * day)
  await reconcileNow(api, tenant)
  expect(await refunded(tenant)).toEqual([0])
  const given = await keyed(api, tenant, member).commerce.setRefundAccount({ code, refundAccount: myAccount })
  expect(given).toMatchObject({ status: 'CANCEL_COMPLETE', needsRefundAccount: false })
  expect(await refunded(tenant)).toEqual([2900])
})

test('surplus and a refund of one account go back together, each once', async () => {
  const { tenant, member, order, bank } = await deposited()
  await bank.deposit(500)
  await deliverDue(api, tenant)
  await ask(tenant, member, order, { refundAccount: myAccount })
  const code = order.code as OrderCode
  await Promise.all([
    acceptCancel(await envOf(api, tenant), { code, by }),
    keyed(api, tenant, member).commerce.setRefundAccount({ code, refundAccount: myAccount }),
  ])
  await reconcileNow(api, tenant)
  expect(await look(member, order)).toMatchObject({
    status: 'CANCEL_COMPLETE',
    unapplied: null,
    refundedAmount: { amount: 2900 },
  })
  expect(await refunded(tenant)).toEqual([3400])
})
