import { expect, test } from 'vitest'
import { dayAt } from '#api/platform/clock.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { createFilm } from '#tests/support/media.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { day, passDays, subscriber, sweep } from '#tests/support/subscribing.ts'
import {
  currentOf,
  ledgerOf,
  type Program,
  programOf,
  shown,
  signedInAgain,
  usesPlan,
  versionOf,
} from '#tests/support/subscriptions-by-staff.ts'
import type { Tenant, TestMember } from '#tests/support/tenant.ts'
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

const reason = 'In hospital'

const pause = async (staff: Program, member: TestMember, until?: string, version?: string) =>
  staff
    .withVersion(version ?? (await versionOf(staff, member)))
    .admin.members.pauseSubscription({ id: member.id, reason, ...(until && { until }) })

const resume = async (staff: Program, member: TestMember, version?: string) =>
  staff
    .withVersion(version ?? (await versionOf(staff, member)))
    .admin.members.resumeSubscription({ id: member.id, reason: 'Well again' })

const dayIn = (tenant: Tenant, days: number) =>
  dayAt(new Date(api.clock.now().getTime() + days * day), tenant.settings.base.timeZone)

const regularOf = async (tenant: Tenant, member: TestMember) =>
  (await (await signedInAgain(api, tenant, member)).subscriptions.subscription()).regular

test('a paused subscription is not charged, gives access until the end of what is paid, and resumes', async () => {
  const { tenant, member, staff } = await arrange()
  const before = await currentOf(staff, member)
  expect(await failureOf(staff.client.admin.members.pauseSubscription({ id: member.id, reason }))).toMatchObject({
    code: 'VERSION_MISSING',
  })
  await pause(staff, member)
  const paused = await currentOf(staff, member)
  expect(paused).toMatchObject({
    status: 'PROCEEDING',
    nextCharge: null,
    paused: { resumeAt: null, accessUntil: before.periodEnd },
  })
  const [entry] = (await staff.client.admin.members.get({ id: member.id })).history
  expect(entry).toMatchObject({
    action: 'subscription.paused',
    changes: { pausedAt: { from: null, to: paused.paused?.since } },
    detail: { reason },
  })
  const [mail] = await mailsTo(tenant, member.email)
  expect(mail).toMatchObject({ template: 'subscription-paused' })
  expect(mail?.text).toContain('won’t be charged while it’s paused')
  expect(mail?.text).not.toContain(reason)
  expect(await usesPlan(api, tenant, member)).toBe(true)
  expect(await regularOf(tenant, member)).toMatchObject({ paused: { accessUntil: before.periodEnd }, nextCharge: null })

  await passDays(api, tenant, 45)
  expect(await usesPlan(api, tenant, member)).toBe(false)
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
  expect((await currentOf(staff, member)).paused).toMatchObject({ accessUntil: null })

  expect(await resume(staff, member)).toEqual({ charge: 'PAID' })
  const after = await currentOf(staff, member)
  expect(after).toMatchObject({ paused: null, status: 'PROCEEDING' })
  // The new period begins with the payment, so that nobody pays for the pause.
  const length = Date.parse(after.periodEnd!) - api.clock.now().getTime()
  expect(length).toBeGreaterThan(27 * day)
  expect(after.nextCharge).toEqual({ at: after.periodEnd, amount: after.price })
  expect(await usesPlan(api, tenant, member)).toBe(true)
  expect(await ledgerOf(tenant)).toEqual({ charged: 1800, refunded: 0 })
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('subscription-resumed')
  const { items } = await (await signedInAgain(api, tenant, member)).subscriptions.subscriptionHistory({})
  expect(items.map(({ type }) => type)).toEqual(expect.arrayContaining(['PAUSED', 'RESUMED']))
  expect((await staff.client.admin.members.get({ id: member.id })).history[0]).toMatchObject({
    action: 'subscription.resumed',
    detail: { reason: 'Well again' },
  })
})

test('a pause that ends before the paid period changes nothing', async () => {
  const { tenant, member, staff } = await arrange()
  const { periodEnd } = await currentOf(staff, member)
  await pause(staff, member)
  api.clock.advance(5 * day)
  expect(await resume(staff, member)).toEqual({ charge: 'NONE' })
  expect(await currentOf(staff, member)).toMatchObject({ periodEnd, paused: null, nextCharge: { at: periodEnd } })
  expect(await failureOf(resume(staff, member))).toMatchObject({
    problem: { errors: { id: ['The subscription is not paused.'] } },
  })
  await passDays(api, tenant, 28)
  expect(await ledgerOf(tenant)).toEqual({ charged: 1800, refunded: 0 })
})

test('the worker resumes a subscription on its day, and charges it once', async () => {
  const { tenant, member, staff } = await arrange()
  const until = dayIn(tenant, 60)
  await pause(staff, member, until)
  const paused = await currentOf(staff, member)
  expect(dayAt(new Date(paused.paused?.resumeAt ?? ''), tenant.settings.base.timeZone)).toBe(until)
  expect(paused.nextCharge).toEqual({ at: paused.paused?.resumeAt, amount: paused.price })
  expect((await regularOf(tenant, member))?.paused).toMatchObject({ resumeAt: paused.paused?.resumeAt })
  await passDays(api, tenant, 58)
  expect(await usesPlan(api, tenant, member)).toBe(false)
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
  api.clock.advance(2 * day)
  await Promise.all([sweep(api, tenant), sweep(api, tenant), sweep(api, tenant)])
  expect(await currentOf(staff, member)).toMatchObject({ paused: null, status: 'PROCEEDING' })
  expect(await usesPlan(api, tenant, member)).toBe(true)
  expect(await ledgerOf(tenant)).toEqual({ charged: 1800, refunded: 0 })
  const resumed = (await mailsTo(tenant, member.email)).filter(({ template }) => template === 'subscription-resumed')
  expect(resumed).toHaveLength(1)
})

test('a day within the paid period or more than a year after it is refused, and another day replaces it', async () => {
  const { tenant, member, staff } = await arrange()
  const why = async (until: string) => {
    const { problem } = await failureOf(pause(staff, member, until))
    return problem?.errors.until
  }
  expect(await why(dayIn(tenant, 10))).toEqual(['Choose a day after the paid period, and not today.'])
  expect(await why(dayIn(tenant, 400))).toEqual(['Choose a day at most twelve months after the paid period.'])
  await pause(staff, member, dayIn(tenant, 40))
  const first = await currentOf(staff, member)
  await pause(staff, member, dayIn(tenant, 380))
  const second = await currentOf(staff, member)
  expect(second.paused?.since).toBe(first.paused?.since)
  await passDays(api, tenant, 45)
  expect((await currentOf(staff, member)).paused).toEqual({ ...second.paused, accessUntil: null })
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
})

test('an overdue subscription is not tried again while it is paused, and its access ends', async () => {
  const { tenant, member, staff } = await arrange({}, 'renewalsDeclined')
  await passDays(api, tenant, 32)
  expect(await currentOf(staff, member)).toMatchObject({ status: 'PENDING' })
  expect(await usesPlan(api, tenant, member)).toBe(true)
  const { charges } = await shown(staff, member)
  await pause(staff, member)
  expect(await currentOf(staff, member)).toMatchObject({ status: 'PROCEEDING', overdue: null, nextCharge: null })
  expect(await usesPlan(api, tenant, member)).toBe(false)
  await passDays(api, tenant, 15)
  expect((await shown(staff, member)).charges).toHaveLength(charges.length)
  expect((await currentOf(staff, member)).paused).not.toBeNull()
  // The card still declines: the subscription is overdue again, with its usual attempts.
  expect(await resume(staff, member)).toEqual({ charge: 'DECLINED' })
  expect(await currentOf(staff, member)).toMatchObject({ status: 'PENDING', paused: null, overdue: { attempts: 1 } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
})

test('a paused trial ends without a notice and without a charge', async () => {
  const { tenant, member, staff } = await arrange({ trialDays: 14 })
  await pause(staff, member)
  await passDays(api, tenant, 20)
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).not.toContain('trial-ending')
  expect(await ledgerOf(tenant)).toEqual({ charged: 0, refunded: 0 })
  expect(await usesPlan(api, tenant, member)).toBe(false)
  expect(await resume(staff, member)).toEqual({ charge: 'PAID' })
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })
})

test('a paused subscription is canceled by its member, and ends at once when nothing more is paid', async () => {
  const { tenant, member, staff } = await arrange()
  await pause(staff, member, dayIn(tenant, 90))
  const { subscriptions } = await signedInAgain(api, tenant, member)
  const { regular } = await subscriptions.cancelSubscription({})
  expect(regular).toMatchObject({ cancelAt: regular?.periodEnd, nextCharge: null })
  await passDays(api, tenant, 33)
  expect((await shown(staff, member)).current).toBeNull()

  const late = await arrange()
  await pause(late.staff, late.member)
  await passDays(api, late.tenant, 40)
  await (await signedInAgain(api, late.tenant, late.member)).subscriptions.cancelSubscription({})
  expect((await shown(late.staff, late.member)).current).toBeNull()
  expect(await ledgerOf(late.tenant)).toEqual({ charged: 900, refunded: 0 })
})

test('a canceled subscription is not paused, and a paused one changes no plan by its member', async () => {
  const { tenant, member, staff } = await arrange()
  const better = await createPlan(tenant, { price: 2000 })
  await pause(staff, member)
  const { subscriptions } = await signedInAgain(api, tenant, member)
  expect(await failureOf(subscriptions.quote({ planId: better.id }))).toMatchObject({ code: 'CONFLICT' })
  await resume(staff, member)
  await subscriptions.cancelSubscription({})
  expect(await failureOf(pause(staff, member))).toMatchObject({
    problem: { errors: { id: ['The subscription is canceled and ends with its paid period.'] } },
  })
})

test('of two people who pause and resume at once, one is told that the other was faster', async () => {
  const { member, staff } = await arrange()
  const version = await versionOf(staff, member)
  const pauses = await Promise.allSettled([1, 2, 3, 4].map(() => pause(staff, member, undefined, version)))
  expect(pauses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of pauses)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ problem: { code: 'VERSION_CONFLICT' } })
  api.clock.advance(40 * day)
  const paused = await versionOf(staff, member)
  const resumed = await Promise.allSettled([1, 2, 3].map(() => resume(staff, member, paused)))
  expect(resumed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a pause at the same time as a renewal leaves one of them: paused, or renewed and then refused', async () => {
  for (let round = 0; round < 8; round++) {
    const { tenant, member, staff } = await arrange()
    api.clock.advance(31 * day + 1000)
    const version = await versionOf(staff, member)
    const wait = new Promise((resolve) => setTimeout(resolve, round * 4))
    const [paused] = await Promise.allSettled([
      wait.then(() => pause(staff, member, undefined, version)),
      sweep(api, tenant),
      sweep(api, tenant),
    ])
    await passDays(api, tenant, 3)
    const { charged } = await ledgerOf(tenant)
    const current = await currentOf(staff, member)
    if (paused.status === 'fulfilled') {
      expect(current.paused).not.toBeNull()
      expect(charged).toBe(900)
    } else {
      expect(['VERSION_CONFLICT', 'VALIDATION_FAILED']).toContain(paused.reason.problem.code)
      expect(current.paused).toBeNull()
      expect(charged).toBe(1800)
    }
  }
})

test('resuming by staff at the same time as by the worker charges once', async () => {
  for (let round = 0; round < 5; round++) {
    const { tenant, member, staff } = await arrange()
    await pause(staff, member, dayIn(tenant, 40))
    api.clock.advance(41 * day)
    const version = await versionOf(staff, member)
    await Promise.allSettled([resume(staff, member, version), sweep(api, tenant), sweep(api, tenant)])
    await sweep(api, tenant)
    expect(await currentOf(staff, member)).toMatchObject({ paused: null, status: 'PROCEEDING' })
    expect(await ledgerOf(tenant)).toEqual({ charged: 1800, refunded: 0 })
  }
})

test('a member ends the pause, and is charged once where the paid period is over', async () => {
  const { tenant, member, staff } = await arrange()
  const within = await signedInAgain(api, tenant, member)
  // Nothing is paused yet, so nothing changes.
  expect((await within.subscriptions.endPause()).regular).toMatchObject({ paused: null })
  await pause(staff, member)
  const { periodEnd } = await currentOf(staff, member)
  const resumed = await (await signedInAgain(api, tenant, member)).subscriptions.endPause()
  expect(resumed.regular).toMatchObject({ paused: null, periodEnd, nextCharge: { at: periodEnd } })
  expect(await ledgerOf(tenant)).toEqual({ charged: 900, refunded: 0 })

  await pause(staff, member)
  await passDays(api, tenant, 45)
  const after = await signedInAgain(api, tenant, member)
  const elsewhere = await signedInAgain(api, tenant, member)
  const pressedTwice = await Promise.allSettled([
    after.subscriptions.endPause(),
    after.subscriptions.endPause(),
    elsewhere.subscriptions.endPause(),
    sweep(api, tenant),
  ])
  expect(pressedTwice[0].status === 'fulfilled' || pressedTwice[1].status === 'fulfilled').toBe(true)
  expect(await regularOf(tenant, member)).toMatchObject({ paused: null, status: 'PROCEEDING', overdue: null })
  expect(await usesPlan(api, tenant, member)).toBe(true)
  expect(await ledgerOf(tenant)).toEqual({ charged: 1800, refunded: 0 })
  expect((await mailsTo(tenant, member.email)).map(({ template }) => template)).toContain('subscription-resumed')
})

test('a member whose card is declined at the end of the pause is overdue; a canceled plan stays paused', async () => {
  const declined = await arrange({}, 'renewalsDeclined')
  await pause(declined.staff, declined.member)
  await passDays(api, declined.tenant, 45)
  const answer = await (await signedInAgain(api, declined.tenant, declined.member)).subscriptions.endPause()
  expect(answer.regular).toMatchObject({ status: 'PENDING', paused: null, overdue: { attempts: 1 } })

  const { tenant, member, staff } = await arrange()
  await pause(staff, member)
  const client = await signedInAgain(api, tenant, member)
  await client.subscriptions.cancelSubscription({})
  expect(await failureOf(client.subscriptions.endPause())).toMatchObject({ code: 'CONFLICT' })
  const other = await tenant.createMember()
  expect(await failureOf((await signedInAgain(api, tenant, other)).subscriptions.endPause())).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('pausing and resuming need the permission to change members', async () => {
  const { tenant, member, staff } = await arrange()
  const finance = await tenant.createStaff('FINANCE')
  const version = await versionOf(staff, member)
  expect(await failureOf(pause(finance, member, undefined, version))).toMatchObject({ status: 403 })
  const support = await tenant.createStaff('SUPPORT')
  await pause(support, member)
  expect(await failureOf(resume(finance, member))).toMatchObject({ status: 403 })
})

test('monthly revenue and the list of subscriptions leave paused ones out, and the history tells of past days', async () => {
  const { member, staff } = await arrange()
  const figures = async (days = 1) => (await staff.client.analytics.subscriptions({ days })).total
  expect(await figures()).toMatchObject({ active: 1, paused: 0, monthlyRevenue: [{ amount: 900 }] })
  await pause(staff, member)
  expect(await figures()).toMatchObject({ active: 0, paused: 1, monthlyRevenue: [{ amount: 0 }] })
  const list = (state: 'ACTIVE' | 'PAUSED') => staff.client.admin.subscriptions.list({ state })
  expect((await list('PAUSED')).items).toMatchObject([{ state: 'PAUSED', nextCharge: null }])
  expect((await list('ACTIVE')).items).toEqual([])
  expect((await staff.client.admin.subscriptions.list({ sort: 'NEXT_CHARGE' })).items).toEqual([])
  api.clock.advance(40 * day)
  await resume(staff, member)
  expect(await figures()).toMatchObject({ active: 1, paused: 0, monthlyRevenue: [{ amount: 900 }] })
  const { before } = await staff.client.analytics.subscriptions({ days: 2 })
  expect(before).toMatchObject({ active: 0, paused: 1, monthlyRevenue: [{ amount: 0 }] })
  expect((await list('ACTIVE')).items).toHaveLength(1)
})

test('a film of a paused plan says so', async () => {
  const { tenant, member, staff } = await arrange()
  const film = await createFilm(tenant, { access: 'PLAN' })
  await pause(staff, member)
  api.clock.advance(40 * day)
  const { playback } = await signedInAgain(api, tenant, member)
  expect(await failureOf(playback.startPlayback({ id: film.id }))).toMatchObject({
    code: 'NOT_ENTITLED',
    problem: { data: { reason: 'PLAN_PAUSED' } },
  })
})
