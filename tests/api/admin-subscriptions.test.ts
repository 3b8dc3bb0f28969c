import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type PaymentProvider, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { mails } from '#api/modules/mail/mail.schema.ts'
import { subscriptionCharges } from '#api/modules/plans/plans.schema.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { day, passDays, subscriber, sweep } from '#tests/support/subscribing.ts'
import { ledgerOf, type Program, programOf, shown, usesPlan, versionOf } from '#tests/support/subscriptions-by-staff.ts'
import { password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (
  input: Parameters<typeof createPlan>[1] = {},
  card: Parameters<typeof subscriber>[3] = 'success',
) => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant, input)
  const { member } = await subscriber(api, tenant, plan, card)
  return { tenant, plan, member, staff: await programOf(api, tenant) }
}

const end = async (staff: Program, member: TestMember, version?: string) =>
  staff
    .withVersion(version ?? (await versionOf(staff, member)))
    .admin.members.endSubscription({ id: member.id, reason: 'Asked by phone' })

const refundedCharges = (tenant: Tenant, member: TestMember) =>
  tenant.within((db) =>
    db
      .select({ amount: subscriptionCharges.amount, refunded: subscriptionCharges.refundedAmount })
      .from(subscriptionCharges)
      .where(and(eq(subscriptionCharges.customerId, tenant.id), eq(subscriptionCharges.memberId, member.id))),
  )

test('a subscription that staff cancel stays until the period’s end, is not renewed, and the member is told', async () => {
  const { tenant, member, staff } = await arrange()
  const { current, charges } = await shown(staff, member)
  expect(current).toMatchObject({
    plan: 'All access',
    status: 'PROCEEDING',
    cancelAt: null,
    refundNow: { amount: 900 },
  })
  expect(charges).toMatchObject([{ kind: 'FIRST', status: 'PAID', amount: { amount: 900 }, refunded: { amount: 0 } }])
  const cancel = (version: string) =>
    staff.withVersion(version).admin.members.cancelSubscription({ id: member.id, reason: 'Asked by phone' })
  expect(await failureOf(staff.client.admin.members.cancelSubscription({ id: member.id, reason: 'x' }))).toMatchObject({
    code: 'VERSION_MISSING',
  })
  await cancel(current!.version)
  expect(await failureOf(cancel(current!.version))).toMatchObject({ code: 'VERSION_CONFLICT' })
  const after = (await shown(staff, member)).current
  expect(after).toMatchObject({ cancelAt: current!.periodEnd, nextCharge: null })
  expect((await staff.client.admin.members.get({ id: member.id })).history[0]).toMatchObject({
    action: 'subscription.cancelled',
    changes: { cancelAt: { from: null, to: current!.periodEnd } },
    detail: { reason: 'Asked by phone' },
  })
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail?.text).toContain('We canceled your subscription')
  expect(mail?.text).not.toContain('Asked by phone')
  expect(await usesPlan(api, tenant, member)).toBe(true)
  await passDays(api, tenant, 32)
  expect((await shown(staff, member)).current).toBeNull()
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
})

test('a subscription that staff end gives back the unused share of its period, and access ends at once', async () => {
  const { tenant, member, staff } = await arrange({ price: 3000 })
  const { current } = await shown(staff, member)
  const period = Date.parse(current!.periodEnd!) - Date.parse(current!.startedAt!)
  api.clock.advance(10 * day)
  const unused = Math.ceil((3000 * (period - 10 * day)) / period)
  const answer = await end(staff, member)
  expect(answer.step).toBe('REFUND')
  // The clock of the test goes on while it runs.
  expect(Math.abs(answer.refund.amount - unused)).toBeLessThanOrEqual(1)
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: answer.refund.amount })
  expect(await refundedCharges(tenant, member)).toEqual([{ amount: 3000, refunded: answer.refund.amount }])
  expect((await shown(staff, member)).current).toBeNull()
  expect(await usesPlan(api, tenant, member)).toBe(false)
  const [ended] = (await staff.client.admin.members.get({ id: member.id })).history
  expect(ended).toMatchObject({ action: 'subscription.ended', detail: { amount: answer.refund.amount } })
  expect((await mailsTo(tenant, member.email))[0]?.text).toContain('Refund')
  await sweep(api, tenant)
  expect((await ledgerOf(tenant)).refunded).toBe(answer.refund.amount)
})

test('a subscription is ended once by two people at the same time', async () => {
  const { tenant, member, staff } = await arrange()
  const other = await tenant.createStaff('FINANCE')
  const version = await versionOf(staff, member)
  const outcomes = await Promise.allSettled([staff, other, staff, other].map((one) => end(one, member, version)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { charged, refunded } = await ledgerOf(tenant)
  expect(charged).toBe(900)
  expect(refunded).toBeGreaterThan(890)
  expect(refunded).toBeLessThanOrEqual(900)
})

test('a renewal that runs while staff end the subscription leaves no money behind', async () => {
  for (let round = 0; round < 5; round++) {
    const { tenant, member, staff } = await arrange()
    api.clock.advance(31 * day + 1000)
    const version = await versionOf(staff, member)
    const [ended] = await Promise.allSettled([end(staff, member, version), sweep(api, tenant)])
    await sweep(api, tenant)
    const { charged, refunded } = await ledgerOf(tenant)
    const { current } = await shown(staff, member)
    if (ended.status === 'fulfilled') {
      // The first period is used up. A renewal that was charged meanwhile is refunded in full.
      expect(current).toBeNull()
      expect(charged - refunded).toBe(900)
    } else {
      expect(ended.reason).toMatchObject({ problem: { code: 'VERSION_CONFLICT' } })
      expect(current).toMatchObject({ status: 'PROCEEDING', cancelAt: null })
      expect([charged, refunded]).toEqual([1800, 0])
    }
  }
})

test('a refund without an answer from the provider is made by the next sweep, once', async () => {
  const { tenant, member, staff } = await arrange()
  const { provider } = api.deps.sandbox
  const real = provider.refund
  const silent: PaymentProvider['refund'] = () => Promise.reject(new ProviderUnavailable('The line broke.'))
  Object.assign(provider, { refund: silent })
  const answer = await end(staff, member).finally(() => Object.assign(provider, { refund: real }))
  expect(answer.step).toBe('ACCEPT')
  expect((await ledgerOf(tenant)).refunded).toBe(0)
  await sweep(api, tenant)
  await sweep(api, tenant)
  expect((await ledgerOf(tenant)).refunded).toBe(answer.refund.amount)
})

test('a trial and an overdue subscription end without a refund', async () => {
  const trial = await arrange({ trialDays: 14 })
  expect(await end(trial.staff, trial.member)).toMatchObject({ step: 'REFUND', refund: { amount: 0 } })
  const late = await arrange({}, 'renewalsDeclined')
  await passDays(api, late.tenant, 32)
  const { current } = await shown(late.staff, late.member)
  expect(current).toMatchObject({
    status: 'PENDING',
    overdue: { attempts: expect.any(Number) },
    refundNow: { amount: 0 },
  })
  expect(await end(late.staff, late.member)).toMatchObject({ refund: { amount: 0 } })
})

test('ending a subscription needs the permission to refund', async () => {
  const { tenant, member } = await arrange()
  const support = await tenant.createStaff('SUPPORT')
  expect(await failureOf(end(support, member))).toMatchObject({ status: 403 })
})

test('a member who is blocked with the subscription is not charged again', async () => {
  const { tenant, member, staff } = await arrange()
  await staff.client.admin.members.block({ id: member.id, reason: 'Shares the password', cancelsSubscription: true })
  const { current } = await shown(staff, member)
  expect(current).toMatchObject({ cancelAt: current!.periodEnd, nextCharge: null })
  const actions = (await staff.client.admin.members.get({ id: member.id })).history.map(({ action }) => action)
  expect(actions.toSorted()).toEqual(['member.blocked', 'subscription.cancelled'])
  await passDays(api, tenant, 32)
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
})

test('a block at the same time as a renewal ends without a deadlock, and at most one renewal is charged', async () => {
  const { tenant, member, staff } = await arrange()
  api.clock.advance(31 * day + 1000)
  await Promise.all([
    staff.client.admin.members.block({ id: member.id, reason: 'Now', cancelsSubscription: true }),
    sweep(api, tenant),
    sweep(api, tenant),
  ])
  await passDays(api, tenant, 64)
  expect((await shown(staff, member)).current).toBeNull()
  expect((await ledgerOf(tenant)).charged).toBeLessThanOrEqual(1800)
})

const extend = async (staff: Program, member: TestMember, days: number, version?: string) =>
  staff
    .withVersion(version ?? (await versionOf(staff, member)))
    .admin.members.extendSubscription({ id: member.id, days, reason: 'The player failed' })

test('free days move the end of a paid period and its renewal, once for two people at the same time', async () => {
  const { tenant, member, staff } = await arrange()
  const before = (await shown(staff, member)).current!
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => extend(staff, member, 10, before.version)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const after = (await shown(staff, member)).current!
  expect(Date.parse(after.periodEnd!) - Date.parse(before.periodEnd!)).toBe(10 * day)
  expect(after.nextCharge).toEqual({ at: after.periodEnd, amount: after.price })
  expect((await staff.client.admin.members.get({ id: member.id })).history[0]).toMatchObject({
    action: 'subscription.extended',
    changes: { periodEnd: { from: before.periodEnd, to: after.periodEnd } },
    detail: { reason: 'The player failed', days: 10 },
  })
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail?.text).toContain('We added 10 days to your subscription, free of charge.')
  expect(mail?.text).not.toContain('The player failed')
  await passDays(api, tenant, 35)
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
  expect(await usesPlan(api, tenant, member)).toBe(true)
  await passDays(api, tenant, 8)
  expect(await ledgerOf(tenant)).toEqual({ charged: 1800, refunded: 0 })
})

test('a period that is over is not extended', async () => {
  const { member, staff } = await arrange()
  const { periodEnd } = (await shown(staff, member)).current!
  api.clock.advance(Date.parse(periodEnd!) - api.clock.now().getTime() + 60_000)
  expect(await failureOf(extend(staff, member, 7))).toMatchObject({
    problem: { errors: { days: ['The period is over. Extend the subscription once it is renewed.'] } },
  })
})

test('free days are not refunded, and an upgrade credits what is paid alone', async () => {
  const { tenant, member, staff } = await arrange({ price: 3000 })
  const better = await createPlan(tenant, { price: 6000 })
  api.clock.advance(5 * day)
  const { token } = await tenant.guest.identity.login({ email: member.email, password })
  const quote = () => api.client(tenant.code, { token: token ?? '' }).subscriptions.quote({ planId: better.id })
  const [refund, credit] = [(await shown(staff, member)).current!.refundNow.amount, await quote()]
  await extend(staff, member, 60)
  // The clock of the test goes on while it runs.
  expect(Math.abs((await shown(staff, member)).current!.refundNow.amount - refund)).toBeLessThanOrEqual(1)
  const after = await quote()
  expect(Math.abs(after.credit.amount - credit.credit.amount)).toBeLessThanOrEqual(1)
  expect(Math.abs(after.charge.amount - credit.charge.amount)).toBeLessThanOrEqual(1)
  await passDays(api, tenant, 40)
  expect((await shown(staff, member)).current).toMatchObject({ status: 'PROCEEDING', refundNow: { amount: 0 } })
  expect(await end(staff, member)).toMatchObject({ refund: { amount: 0 } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 3000, refunded: 0 })
})

test('a year that begins at once is longer by the free days that are left', async () => {
  const { tenant, member, staff } = await arrange({ price: 1000 })
  const yearly = await createPlan(tenant, { price: 10_000, cycle: 'YEAR' })
  await extend(staff, member, 20)
  const quoteIn = async () => {
    const { token } = await tenant.guest.identity.login({ email: member.email, password })
    const { subscriptions } = api.client(tenant.code, { token: token ?? '', idempotencyKey: crypto.randomUUID() })
    return { subscriptions, quote: await subscriptions.quote({ planId: yearly.id }) }
  }
  const daysOf = ({ effectiveAt, nextCharge }: Awaited<ReturnType<typeof quoteIn>>['quote']) =>
    Math.round((Date.parse(nextCharge.at) - Date.parse(effectiveAt)) / day)
  const first = await quoteIn()
  expect([385, 386]).toContain(daysOf(first.quote))
  // All paid days have passed, and five of the free ones.
  api.clock.advance(Date.parse((await shown(staff, member)).current!.periodEnd!) - api.clock.now().getTime() - 15 * day)
  const { quote, subscriptions } = await quoteIn()
  expect([380, 381]).toContain(daysOf(quote))
  expect(quote).toMatchObject({ credit: { amount: 0 }, charge: { amount: 10_000 } })
  const { regular } = await subscriptions.changePlan({ planId: yearly.id, quoteId: quote.id! })
  expect(regular).toMatchObject({ cycle: 'YEAR', periodEnd: quote.nextCharge.at })
  // Weeks in which nothing is due, then each day.
  for (let week = 0; week < 52; week++) {
    api.clock.advance(7 * day)
    await sweep(api, tenant)
  }
  await passDays(api, tenant, 382 - 52 * 7)
  const { current } = await shown(staff, member)
  expect([365, 366]).toContain(Math.round((Date.parse(current!.periodEnd!) - Date.parse(quote.nextCharge.at)) / day))
  expect(await ledgerOf(tenant)).toEqual({ charged: 21_000, refunded: 0 })
})

test('a closed store charges nobody, and says so', async () => {
  const { tenant, member, staff } = await arrange({}, 'recovers')
  const due = (await shown(staff, member)).current?.periodEnd ?? ''
  api.clock.advance(Date.parse(due) - api.clock.now().getTime() + 60_000)
  await sweep(api, tenant)
  const version = await versionOf(staff, member)
  await staff.client.admin.store.close({ code: tenant.code })
  expect(
    await failureOf(staff.withVersion(version).admin.members.retryCharge({ id: member.id, reason: 'Asked' })),
  ).toMatchObject({ problem: { errors: { id: ['The store is closed, so nobody is charged.'] } } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
})

test('free days move the end of a trial and of a canceled subscription', async () => {
  const trial = await arrange({ trialDays: 14 })
  await extend(trial.staff, trial.member, 7)
  const { current } = await shown(trial.staff, trial.member)
  expect(current).toMatchObject({ trialEndsAt: current!.periodEnd, refundNow: { amount: 0 } })
  await passDays(api, trial.tenant, 20)
  expect(await ledgerOf(trial.tenant)).toEqual({ charged: 0, refunded: 0 })
  await passDays(api, trial.tenant, 2)
  expect(await ledgerOf(trial.tenant)).toEqual({ charged: 900, refunded: 0 })

  const { tenant, member, staff } = await arrange()
  await staff
    .withVersion(await versionOf(staff, member))
    .admin.members.cancelSubscription({ id: member.id, reason: 'Asked by phone' })
  await extend(staff, member, 7)
  const canceled = (await shown(staff, member)).current!
  expect(canceled.cancelAt).toBe(canceled.periodEnd)
  await passDays(api, tenant, 34)
  expect(await usesPlan(api, tenant, member)).toBe(true)
  await passDays(api, tenant, 6)
  expect((await shown(staff, member)).current).toBeNull()
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
})

/** The keys of notices had no end in an earlier release. */
test.for(['by this release', 'by an earlier release'])(
  'a trial that is extended after a notice %s is announced again, once for each end',
  async (release) => {
    const { tenant, member, staff } = await arrange({ trialDays: 14 })
    const notices = async () =>
      (await mailsTo(tenant, member.email)).filter(({ template }) => template === 'trial-ending').length
    await passDays(api, tenant, 12)
    expect(await notices()).toBe(1)
    if (release === 'by an earlier release')
      await tenant.within((db) =>
        db
          .update(mails)
          .set({ once: sql`regexp_replace(once, ':[0-9]+$', '')` })
          .where(and(eq(mails.customerId, tenant.id), eq(mails.template, 'trial-ending'))),
      )
    await sweep(api, tenant)
    expect(await notices()).toBe(1)
    await extend(staff, member, 7)
    await passDays(api, tenant, 3)
    expect(await notices()).toBe(1)
    await passDays(api, tenant, 4)
    expect(await notices()).toBe(2)
    await passDays(api, tenant, 1)
    expect(await notices()).toBe(2)
  },
)

test('an overdue renewal is charged by staff once the card works, and is not extended before', async () => {
  const { tenant, member, staff } = await arrange({}, 'recovers')
  const due = (await shown(staff, member)).current?.periodEnd ?? ''
  api.clock.advance(Date.parse(due) - api.clock.now().getTime() + 60_000)
  await sweep(api, tenant)
  expect(await failureOf(extend(staff, member, 7))).toMatchObject({
    code: 'VALIDATION_FAILED',
    problem: { errors: { days: ['Charge the overdue payment first.'] } },
  })
  const retry = async (version?: string) =>
    staff
      .withVersion(version ?? (await versionOf(staff, member)))
      .admin.members.retryCharge({ id: member.id, reason: 'Asked by phone' })
  expect(await failureOf(retry())).toMatchObject({ code: 'CARD_REFUSED' })
  await retry()
  const { current } = await shown(staff, member)
  expect(current).toMatchObject({ status: 'PROCEEDING', overdue: null })
  expect(await failureOf(retry())).toMatchObject({
    code: 'VALIDATION_FAILED',
    problem: { errors: { id: ['The subscription is not overdue.'] } },
  })
  const actions = (await staff.client.admin.members.get({ id: member.id })).history.map(({ action }) => action)
  expect(actions).toEqual(['subscription.retried', 'subscription.retried'])
})
