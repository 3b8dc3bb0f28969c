import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailsTo } from '#tests/support/mails.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { day, passDays, subscriber } from '#tests/support/subscribing.ts'
import {
  currentOf,
  ledgerOf,
  type Program,
  programOf,
  shown,
  usesPlan,
  versionOf,
} from '#tests/support/subscriptions-by-staff.ts'
import type { TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant, { price: 3000 })
  const { member } = await subscriber(api, tenant, plan)
  return { tenant, member, staff: await programOf(api, tenant) }
}

const chargeOf = async (staff: Program, member: TestMember) => {
  const [charge] = (await shown(staff, member)).charges
  if (!charge) throw new Error('The member has no charge.')
  return charge
}

const refund = async (
  staff: Program,
  member: TestMember,
  input: { amount: number; overridesRule?: boolean },
  version?: string,
) => {
  const charge = await chargeOf(staff, member)
  return staff
    .withVersion(version ?? charge.version)
    .admin.members.refundCharge({ id: member.id, chargeId: charge.id, reason: 'The picture stopped', ...input })
}

test('a part of a charge is refunded, the subscription continues, and the member is told', async () => {
  const { tenant, member, staff } = await arrange()
  expect(await chargeOf(staff, member)).toMatchObject({ refundable: { amount: 3000 }, rule: { amount: 3000 } })
  expect(await refund(staff, member, { amount: 1000 })).toEqual({
    step: 'REFUND',
    refund: { amount: 1000, currency: 'USD' },
  })
  const { current, charges } = await shown(staff, member)
  expect(current).toMatchObject({ status: 'PROCEEDING', cancelAt: null })
  expect(charges).toMatchObject([{ refunded: { amount: 1000 }, refundable: { amount: 2000 } }])
  expect(await usesPlan(api, tenant, member)).toBe(true)
  expect((await staff.client.admin.members.get({ id: member.id })).history[0]).toMatchObject({
    action: 'subscription.charge-refunded',
    changes: { refunded: { from: 0, to: 1000 } },
    detail: { reason: 'The picture stopped', amount: 1000, currency: 'USD' },
  })
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail).toMatchObject({ template: 'subscription-refunded' })
  expect(mail?.text).toContain('$10.00')
  expect(mail?.text).not.toContain('The picture stopped')
  // The parts add up, and an end refunds at most what is left.
  await refund(staff, member, { amount: 1500 })
  const ended = staff.withVersion(await versionOf(staff, member)).admin.members
  expect(await ended.endSubscription({ id: member.id, reason: 'Asked' })).toMatchObject({ refund: { amount: 500 } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: 3000 })
})

test('a refund above what is left is refused with the amount that would be right', async () => {
  const { member, staff } = await arrange()
  await refund(staff, member, { amount: 1000 })
  const { status, problem } = await failureOf(refund(staff, member, { amount: 2001, overridesRule: true }))
  expect([status, problem.errors]).toEqual([422, { amount: ['Enter more than 0 and at most 20.00 USD.'] }])
  await refund(staff, member, { amount: 2000 })
  expect((await failureOf(refund(staff, member, { amount: 1, overridesRule: true }))).problem.errors).toEqual({
    amount: ['Everything is refunded.'],
  })
})

test('a refund above the unused share is against the rule, and is confirmed', async () => {
  const { tenant, member, staff } = await arrange()
  api.clock.advance(10 * day)
  const { rule } = await chargeOf(staff, member)
  expect(rule.amount).toBeLessThan(2100)
  const against = await failureOf(refund(staff, member, { amount: 2900 }))
  expect(against).toMatchObject({ status: 409, code: 'REFUND_AGAINST_RULE' })
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: 0 })
  await refund(staff, member, { amount: rule.amount })
  await refund(staff, member, { amount: 3000 - rule.amount, overridesRule: true })
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: 3000 })
})

test('what the rule has given once is neither given again nor credited to another plan', async () => {
  const { tenant, member, staff } = await arrange()
  const dearer = await createPlan(tenant, { price: 5000 })
  api.clock.advance(10 * day)
  const { rule } = await chargeOf(staff, member)
  const client = api.client(tenant.code, { token: member.token })
  const change = (quoteId: typeof quoted.id) =>
    api
      .client(tenant.code, { token: member.token, idempotencyKey: randomUUID() })
      .subscriptions.changePlan({ planId: dearer.id, quoteId: quoteId! })
  const quoted = await client.subscriptions.quote({ planId: dearer.id })
  await refund(staff, member, { amount: rule.amount })
  expect((await chargeOf(staff, member)).rule).toMatchObject({ amount: 0 })
  expect(await failureOf(refund(staff, member, { amount: 100 }))).toMatchObject({ code: 'REFUND_AGAINST_RULE' })
  // The price was calculated before the refund.
  expect(await failureOf(change(quoted.id))).toMatchObject({
    code: 'QUOTE_EXPIRED',
  })
  const { id, credit, charge } = await client.subscriptions.quote({ planId: dearer.id })
  expect(credit).toMatchObject({ amount: 0 })
  expect(charge.amount).toBeGreaterThan(quoted.charge.amount)
  await change(id)
  // The new plan is paid in full, so its rest is worth its price again.
  const { current } = await shown(staff, member)
  expect(Math.abs((current?.refundNow.amount ?? 0) - charge.amount)).toBeLessThanOrEqual(1)
})

test('two refunds of the same state at the same time are one', async () => {
  const { tenant, member, staff } = await arrange()
  const { version } = await chargeOf(staff, member)
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => refund(staff, member, { amount: 700 }, version)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: 700 })
})

test('a charge is refunded only as it is of the member, and by who may refund', async () => {
  const { tenant, member, staff } = await arrange()
  const { id: chargeId, version } = await chargeOf(staff, member)
  const other = await tenant.createMember()
  const input = { chargeId, amount: 100, reason: 'None' }
  const { refundCharge } = staff.withVersion(version).admin.members
  expect(await failureOf(refundCharge({ id: other.id, ...input }))).toMatchObject({ status: 404 })
  const support = await tenant.createStaff('SUPPORT')
  const bySupport = support.withVersion(version).admin.members.refundCharge({ id: member.id, ...input })
  expect(await failureOf(bySupport)).toMatchObject({ status: 403 })
})

test('a cancellation that staff revoke is renewed as before, and the member is told', async () => {
  const { tenant, member, staff } = await arrange()
  const before = await currentOf(staff, member)
  const revoke = (version: string) =>
    staff.withVersion(version).admin.members.revokeCancellation({ id: member.id, reason: 'Changed their mind' })
  expect((await failureOf(revoke(before.version))).problem.errors).toEqual({
    id: ['The subscription is not canceled.'],
  })
  await staff.withVersion(before.version).admin.members.cancelSubscription({ id: member.id, reason: 'Asked by phone' })
  expect(await failureOf(revoke(before.version))).toMatchObject({ code: 'VERSION_CONFLICT' })
  await revoke(await versionOf(staff, member))
  expect(await currentOf(staff, member)).toMatchObject({ cancelAt: null, nextCharge: before.nextCharge })
  expect((await staff.client.admin.members.get({ id: member.id })).history[0]).toMatchObject({
    action: 'subscription.cancellation-revoked',
    changes: { cancelAt: { from: before.periodEnd, to: null } },
    detail: { reason: 'Changed their mind' },
  })
  expect((await mailsTo(tenant, member.email))[0]).toMatchObject({ template: 'subscription-continued' })
  await passDays(api, tenant, 32)
  expect(await currentOf(staff, member)).toMatchObject({ status: 'PROCEEDING' })
  expect(await ledgerOf(tenant)).toEqual({ charged: 6000, refunded: 0 })
})
