import { expect, test } from 'vitest'
import { type PaymentProvider, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import type { PlanId } from '#contract/ids.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { createPlan, createPlanTenant, type PlanInput } from '#tests/support/plans.ts'
import { day, passDays, subscriber, sweep } from '#tests/support/subscribing.ts'
import {
  currentOf,
  ledgerOf,
  type Program,
  programOf,
  shown,
  signedInAgain,
  versionOf,
} from '#tests/support/subscriptions-by-staff.ts'
import type { TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (input: PlanInput = {}, card: Parameters<typeof subscriber>[3] = 'success') => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant, { name: 'Standard', price: 3000, ...input })
  const { member } = await subscriber(api, tenant, plan, card)
  return { tenant, plan, member, staff: await programOf(api, tenant) }
}

const reason = 'Asked by phone'

const change = async (staff: Program, member: TestMember, planId: PlanId, version?: string) =>
  staff
    .withVersion(version ?? (await versionOf(staff, member)))
    .admin.members.changePlan({ id: member.id, planId, reason })

const quote = (staff: Program, member: TestMember, planId: PlanId) =>
  staff.client.admin.members.quotePlanChange({ id: member.id, planId })

/** Changes the plan now as quoted. */
const changeNow = async (staff: Program, member: TestMember, planId: PlanId) => {
  const { version, now } = await quote(staff, member, planId)
  return staff.withVersion(version).admin.members.changePlanNow({ id: member.id, quoteId: now!.id, reason })
}

/** The clock of the tests goes on while they run, and shares are rounded. */
const near = (amount: number, expected: number) => expect(Math.abs(amount - expected)).toBeLessThanOrEqual(2)

test('staff change a plan at the next renewal, take it back, and the member is told each time', async () => {
  const { tenant, plan, member, staff } = await arrange()
  const better = await createPlan(tenant, { name: 'Better', price: 5000, onSale: false })
  const before = await currentOf(staff, member)
  expect(before.otherPlans).toMatchObject([{ id: better.id, name: 'Better', price: { amount: 5000 }, onSale: false }])
  expect((await quote(staff, member, better.id)).atRenewal).toMatchObject({
    at: before.periodEnd,
    amount: { amount: 5000 },
  })
  await change(staff, member, better.id)
  expect(await currentOf(staff, member)).toMatchObject({
    plan: 'Standard',
    nextPlan: { name: 'Better' },
    nextCharge: { at: before.periodEnd, amount: { amount: 5000 } },
  })
  expect((await staff.client.admin.members.get({ id: member.id })).history[0]).toMatchObject({
    action: 'subscription.plan-chosen',
    changes: { nextPlan: { from: null, to: 'Better' } },
    detail: { reason, at: 'RENEWAL' },
  })
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail).toMatchObject({ template: 'subscription-plan-changed' })
  expect(mail?.text).toContain('next renewal')
  expect(mail?.text).not.toContain(reason)

  await change(staff, member, plan.id)
  expect(await currentOf(staff, member)).toMatchObject({ nextPlan: null, nextCharge: { amount: { amount: 3000 } } })
  expect((await mailsTo(tenant, member.email))[0]?.subject).toContain('You keep Standard')
  expect(await failureOf(change(staff, member, plan.id))).toMatchObject({
    problem: { errors: { planId: ['Choose another plan.'] } },
  })
  await change(staff, member, better.id)
  await passDays(api, tenant, 32)
  expect(await currentOf(staff, member)).toMatchObject({ plan: 'Better', nextPlan: null, price: { amount: 5000 } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 8000, refunded: 0 })
})

test('a dearer plan now charges the rest of the period, less the credit', async () => {
  const { tenant, member, staff } = await arrange()
  const better = await createPlan(tenant, { name: 'Better', price: 6000 })
  const { periodEnd, startedAt } = await currentOf(staff, member)
  const length = Date.parse(periodEnd!) - Date.parse(startedAt!)
  api.clock.advance(10 * day)
  const { now } = await quote(staff, member, better.id)
  const rest = (length - 10 * day) / length
  near(now!.credit.amount, 3000 * rest)
  near(now!.charge.amount, 3000 * rest)
  expect(now).toMatchObject({ refund: { amount: 0 }, nextCharge: { at: periodEnd, amount: { amount: 6000 } } })
  const answer = await changeNow(staff, member, better.id)
  expect(answer).toMatchObject({ step: 'REFUND', refund: { amount: 0 } })
  expect(await currentOf(staff, member)).toMatchObject({ plan: 'Better', price: { amount: 6000 }, periodEnd })
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000 + answer.charge.amount, refunded: 0 })
  const templates = (await mailsTo(tenant, member.email)).map(({ template }) => template)
  expect(templates).toEqual(expect.arrayContaining(['subscription-plan-changed', 'subscription-receipt']))
  const { items } = await (await signedInAgain(api, tenant, member)).subscriptions.subscriptionHistory({})
  expect(items.map(({ type }) => type)).toContain('PLAN_CHANGED')
})

test('a cheaper plan now refunds what the credit exceeds, and nothing is refunded twice at its end', async () => {
  const { tenant, member, staff } = await arrange()
  const cheap = await createPlan(tenant, { name: 'Basic', price: 1000 })
  const { periodEnd, startedAt } = await currentOf(staff, member)
  const length = Date.parse(periodEnd!) - Date.parse(startedAt!)
  api.clock.advance(10 * day)
  const rest = (length - 10 * day) / length
  const answer = await changeNow(staff, member, cheap.id)
  expect(answer).toMatchObject({ step: 'REFUND', charge: { amount: 0 } })
  near(answer.refund.amount, 2000 * rest)
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: answer.refund.amount })
  const after = await currentOf(staff, member)
  expect(after).toMatchObject({ plan: 'Basic', price: { amount: 1000 }, periodEnd })
  near(after.refundNow.amount, 1000 * rest)
  expect((await staff.client.admin.members.get({ id: member.id })).history[0]).toMatchObject({
    changes: { plan: { from: 'Standard', to: 'Basic' } },
    detail: { at: 'NOW', charge: 0, refund: answer.refund.amount },
  })
  expect((await mailsTo(tenant, member.email))[0]?.text).toContain('Refund')
  await sweep(api, tenant)
  const ended = await staff.withVersion(after.version).admin.members.endSubscription({ id: member.id, reason })
  const { charged, refunded } = await ledgerOf(tenant)
  expect(refunded).toBe(answer.refund.amount + ended.refund.amount)
  // What was used remains: ten days at the price of the first plan.
  near(charged - refunded, 3000 * (1 - rest))
})

test('a month in place of a year begins now, and the rest of the year is refunded', async () => {
  const { tenant, member, staff } = await arrange({ price: 12_000, cycle: 'YEAR' })
  const monthly = await createPlan(tenant, { name: 'Monthly', price: 1000 })
  api.clock.advance(30 * day)
  const answer = await changeNow(staff, member, monthly.id)
  const expected = (12_000 * 335) / 365 - 1000
  expect(Math.abs(answer.refund.amount - expected)).toBeLessThan(40)
  const after = await currentOf(staff, member)
  expect(after).toMatchObject({ plan: 'Monthly', cycle: 'MONTH' })
  expect(Date.parse(after.periodEnd!) - api.clock.now().getTime()).toBeLessThan(32 * day)
  await passDays(api, tenant, 32)
  expect(await ledgerOf(tenant)).toEqual({ charged: 13_000, refunded: answer.refund.amount })
})

test('a change in a trial keeps the trial and costs nothing, and another plan without one starts at its price', async () => {
  const { tenant, member, staff } = await arrange({ trialDays: 14 })
  const other = await createPlan(tenant, { name: 'Other', price: 2000, trialDays: 7 })
  const paid = await createPlan(tenant, { name: 'Paid', price: 500 })
  const { trialEndsAt } = await currentOf(staff, member)
  expect(await changeNow(staff, member, other.id)).toMatchObject({ charge: { amount: 0 }, refund: { amount: 0 } })
  expect(await currentOf(staff, member)).toMatchObject({ plan: 'Other', trialEndsAt, periodEnd: trialEndsAt })
  expect(await changeNow(staff, member, paid.id)).toMatchObject({ charge: { amount: 500 } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 500, refunded: 0 })
})

test('two people who change a plan now at once charge once', async () => {
  const { tenant, member, staff } = await arrange()
  const [better, best] = [await createPlan(tenant, { price: 6000 }), await createPlan(tenant, { price: 9000 })]
  const quotes = await Promise.all([better, best, better].map(({ id }) => quote(staff, member, id)))
  const outcomes = await Promise.allSettled(
    [...quotes, ...quotes].map(({ version, now }) =>
      staff.withVersion(version).admin.members.changePlanNow({ id: member.id, quoteId: now!.id, reason }),
    ),
  )
  const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const [first] = done
  // The same quote may answer twice: its charge is under way, and is asked for once more.
  expect(new Set(done.map(({ charge }) => charge.amount)).size).toBe(1)
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000 + first!.charge.amount, refunded: 0 })
})

test('two people who change to a cheaper plan at once refund once', async () => {
  const { tenant, member, staff } = await arrange()
  const cheap = await createPlan(tenant, { price: 1000 })
  const { version, now } = await quote(staff, member, cheap.id)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () =>
      staff.withVersion(version).admin.members.changePlanNow({ id: member.id, quoteId: now!.id, reason }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await sweep(api, tenant)
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: now!.refund.amount })
})

test('a scheduled change at the same time as a renewal applies to this one or to the next', async () => {
  for (let round = 0; round < 6; round++) {
    const { tenant, member, staff } = await arrange()
    const other = await createPlan(tenant, { name: 'Other', price: 1000 })
    api.clock.advance(31 * day + 1000)
    const version = await versionOf(staff, member)
    const wait = new Promise((resolve) => setTimeout(resolve, round * 4))
    const [changed] = await Promise.allSettled([
      wait.then(() => change(staff, member, other.id, version)),
      sweep(api, tenant),
    ])
    await sweep(api, tenant)
    const current = await currentOf(staff, member)
    const isChanged = changed.status === 'fulfilled'
    expect(current).toMatchObject({ status: 'PROCEEDING', plan: isChanged ? 'Other' : 'Standard', nextPlan: null })
    expect((await ledgerOf(tenant)).charged).toBe(isChanged ? 4000 : 6000)
  }
})

test('a declined card changes nothing, and no answer of the provider is asked for again', async () => {
  const { tenant, member, staff } = await arrange({}, 'renewalsDeclined')
  const better = await createPlan(tenant, { name: 'Better', price: 6000 })
  expect(await failureOf(changeNow(staff, member, better.id))).toMatchObject({ code: 'CARD_REFUSED' })
  expect(await currentOf(staff, member)).toMatchObject({ plan: 'Standard', price: { amount: 3000 } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: 0 })
  const templates = (await mailsTo(tenant, member.email)).map(({ template }) => template)
  expect(templates).not.toContain('subscription-plan-changed')

  const silent = await arrange()
  const dear = await createPlan(silent.tenant, { name: 'Dear', price: 6000 })
  const { version, now } = await quote(silent.staff, silent.member, dear.id)
  const again = () =>
    silent.staff.withVersion(version).admin.members.changePlanNow({ id: silent.member.id, quoteId: now!.id, reason })
  const { provider } = api.deps.sandbox
  const { charge } = provider.cards!
  const unanswered: typeof charge = () => Promise.reject(new ProviderUnavailable('The line broke.'))
  Object.assign(provider.cards!, { charge: unanswered })
  expect(await failureOf(again()).finally(() => Object.assign(provider.cards!, { charge }))).toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
  })
  await again()
  expect(await currentOf(silent.staff, silent.member)).toMatchObject({ plan: 'Dear' })
  expect(await ledgerOf(silent.tenant)).toEqual({ charged: 3000 + now!.charge.amount, refunded: 0 })
})

test('a quote expires, belongs to one member, and no plan changes of a canceled or overdue subscription', async () => {
  const { tenant, plan, member, staff } = await arrange()
  const better = await createPlan(tenant, { price: 6000 })
  const { now, version } = await quote(staff, member, better.id)
  const { member: other } = await subscriber(api, tenant, plan)
  const use = async (one: TestMember, expected: string) =>
    failureOf(staff.withVersion(expected).admin.members.changePlanNow({ id: one.id, quoteId: now!.id, reason }))
  expect(await use(other, await versionOf(staff, other))).toMatchObject({ code: 'QUOTE_EXPIRED' })
  api.clock.advance(16 * 60_000)
  expect(await use(member, version)).toMatchObject({ code: 'QUOTE_EXPIRED' })
  expect(await failureOf(quote(staff, member, plan.id))).toMatchObject({ code: 'VALIDATION_FAILED' })
  await staff.withVersion(version).admin.members.cancelSubscription({ id: member.id, reason })
  const why = { planId: ['The subscription is canceled and ends with its paid period.'] }
  expect(await failureOf(quote(staff, member, better.id))).toMatchObject({ problem: { errors: why } })
  expect(await failureOf(change(staff, member, better.id))).toMatchObject({ problem: { errors: why } })

  const late = await arrange({}, 'renewalsDeclined')
  const cheap = await createPlan(late.tenant, { price: 100 })
  await passDays(api, late.tenant, 32)
  expect(await failureOf(change(late.staff, late.member, cheap.id))).toMatchObject({
    problem: { errors: { planId: ['Charge the overdue payment first.'] } },
  })
})

test('a paused subscription changes its plan when it resumes, and not now', async () => {
  const { tenant, member, staff } = await arrange()
  const cheap = await createPlan(tenant, { name: 'Basic', price: 1000 })
  await staff.withVersion(await versionOf(staff, member)).admin.members.pauseSubscription({ id: member.id, reason })
  expect(await quote(staff, member, cheap.id)).toMatchObject({ atRenewal: { at: null }, now: null })
  await change(staff, member, cheap.id)
  await passDays(api, tenant, 40)
  await staff.withVersion(await versionOf(staff, member)).admin.members.resumeSubscription({ id: member.id, reason })
  expect(await currentOf(staff, member)).toMatchObject({ plan: 'Basic', nextPlan: null, paused: null })
  expect(await ledgerOf(tenant)).toEqual({ charged: 4000, refunded: 0 })
})

test('a change at the renewal needs the permission for members, and one now that for refunds', async () => {
  const { tenant, member, staff } = await arrange()
  const cheap = await createPlan(tenant, { price: 1000 })
  const [support, finance] = [await tenant.createStaff('SUPPORT'), await tenant.createStaff('FINANCE')]
  const unconfirmed = await tenant.createStaff('FINANCE', { isConfirmed: false })
  const version = await versionOf(staff, member)
  expect(await failureOf(change(finance, member, cheap.id, version))).toMatchObject({ status: 403 })
  expect(await failureOf(changeNow(support, member, cheap.id))).toMatchObject({ status: 403 })
  expect(await failureOf(changeNow(unconfirmed, member, cheap.id))).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  await change(support, member, cheap.id, version)
  await changeNow(finance, member, cheap.id)
  expect(await currentOf(staff, member)).toMatchObject({ price: { amount: 1000 } })
})

test('a refund without an answer of the provider is made by the next sweep, once', async () => {
  const { tenant, member, staff } = await arrange()
  const cheap = await createPlan(tenant, { price: 1000 })
  const { provider } = api.deps.sandbox
  const real = provider.refund
  const silent: PaymentProvider['refund'] = () => Promise.reject(new ProviderUnavailable('The line broke.'))
  Object.assign(provider, { refund: silent })
  const answer = await changeNow(staff, member, cheap.id).finally(() => Object.assign(provider, { refund: real }))
  expect(answer.step).toBe('ACCEPT')
  expect((await shown(staff, member)).current).toMatchObject({ price: { amount: 1000 } })
  await sweep(api, tenant)
  await sweep(api, tenant)
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: answer.refund.amount })
})
