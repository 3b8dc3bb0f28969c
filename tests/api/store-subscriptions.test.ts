import { expect, test } from 'vitest'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { passDays, subscriber } from '#tests/support/subscribing.ts'
import type { Tenant, TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

/** A program of the store: its token outlives the weeks that pass in these tests. */
const programOf = async (tenant: Tenant) => {
  const { client, token } = await tenant.createOperator()
  const versioned = async ({ id }: TestMember) => {
    const { current } = await client.admin.members.subscription({ id })
    return api.client(tenant.code, { token, headers: { 'if-match': current!.version } }).admin.members
  }
  return { home: client.admin.home, list: client.admin.subscriptions, members: client.admin.members, versioned }
}

test('the list has the state, next charge and failed charges of every subscription, and is filtered', async () => {
  const tenant = await createPlanTenant(api)
  const monthly = await createPlan(tenant, { code: 'monthly', name: 'Monthly' })
  const trial = await createPlan(tenant, { code: 'trial', name: 'With a trial', trialDays: 60 })
  const { member: overdue } = await subscriber(api, tenant, monthly, 'renewalsDeclined')
  const { member: ended } = await subscriber(api, tenant, monthly)
  const { member: cancelled } = await subscriber(api, tenant, trial)
  const { member: active } = await subscriber(api, tenant, monthly)
  const { member: inTrial } = await subscriber(api, tenant, trial)
  const { home, list, members, versioned } = await programOf(tenant)
  // A member without a subscription is not in the list.
  await tenant.createMember()
  await (await versioned(cancelled)).cancelSubscription({ id: cancelled.id, reason: 'Asked' })
  await (await versioned(ended)).endSubscription({ id: ended.id, reason: 'Asked' })
  await passDays(api, tenant, 32)

  const { items, nextCursor } = await list.list({})
  expect(nextCursor).toBeNull()
  expect(items.map(({ member, state, plan }) => [member?.email, state, plan])).toEqual([
    [inTrial.email, 'TRIAL', 'With a trial'],
    [active.email, 'ACTIVE', 'Monthly'],
    [cancelled.email, 'CANCELLED', 'With a trial'],
    [ended.email, 'ENDED', 'Monthly'],
    [overdue.email, 'OVERDUE', 'Monthly'],
  ])
  expect(items[0]).toMatchObject({ nextCharge: { amount: { amount: 900 } }, endsAt: null, overdue: null })
  expect(items[2]).toMatchObject({ nextCharge: null, endsAt: expect.any(String) })
  expect(items[4]).toMatchObject({
    nextCharge: { at: expect.any(String) },
    overdue: { attempts: expect.any(Number), failure: expect.any(String), graceUntil: expect.any(String) },
  })
  expect((await home()).waiting.overdueSubscriptions).toBe(1)
  // What the list says is what the member's page says.
  for (const { member, nextCharge, overdue: failed } of items) {
    const { current } = await members.subscription({ id: member!.id })
    if (current)
      expect({ nextCharge, overdue: failed }).toEqual({ nextCharge: current.nextCharge, overdue: current.overdue })
  }

  const emailsOf = async (query: Parameters<typeof list.list>[0]) =>
    (await list.list(query)).items.map(({ member }) => member?.email)
  for (const [state, member] of Object.entries({
    OVERDUE: overdue,
    ENDED: ended,
    CANCELLED: cancelled,
    TRIAL: inTrial,
  }))
    expect(await emailsOf({ state: state as 'TRIAL' })).toEqual([member.email])
  expect(await emailsOf({ state: 'ACTIVE' })).toEqual([active.email])
  const { items: plans } = await list.plans()
  expect(plans).toEqual([
    { code: 'monthly', name: 'Monthly' },
    { code: 'trial', name: 'With a trial' },
  ])
  expect(await emailsOf({ plan: plans[1]!.code })).toEqual([inTrial.email, cancelled.email])
  expect(await emailsOf({ q: active.email.slice(0, 20).toUpperCase() })).toEqual([active.email])
  expect(await emailsOf({ q: 'nobody' })).toEqual([])
  expect(await emailsOf({ sort: 'NEXT_CHARGE' })).toEqual(
    [overdue.email, inTrial.email, active.email].sort((a, b) => timeOfCharge(a) - timeOfCharge(b)),
  )
  function timeOfCharge(email: string) {
    return Date.parse(items.find(({ member }) => member?.email === email)!.nextCharge!.at)
  }

  for (const sort of ['STARTED', 'NEXT_CHARGE'] as const) {
    const paged: (string | undefined)[] = []
    for (let cursor: string | undefined, page = 0; page < 9; page++) {
      const part = await list.list({ sort, size: 2, ...(cursor && { cursor }) })
      paged.push(...part.items.map(({ member }) => member?.email))
      if (!part.nextCursor) break
      cursor = part.nextCursor
    }
    expect(paged).toEqual(await emailsOf({ sort }))
  }
  expect((await failureOf(list.list({ cursor: 'a'.repeat(30) }))).code).toBe('VALIDATION_FAILED')
}, 60_000)

test('the export of subscriptions has the filters of the list, and is audited', async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant, { name: '=Plan' })
  const { member } = await subscriber(api, tenant, plan)
  await subscriber(api, tenant, plan)
  const { client, email } = await tenant.createStaff('FINANCE')
  const text = await (await client.admin.subscriptions.export({ q: member.email })).text()
  const [heading, line, ...rest] = text.replace('\ufeff', '').trimEnd().split('\r\n')
  expect(heading).toBe(
    'email,name,plan,state,state name,cycle,price,currency,started (Asia/Seoul),next charge (Asia/Seoul),next amount,' +
      'ends (Asia/Seoul),failed attempts,failure,access until (Asia/Seoul)',
  )
  expect(line).toMatch(new RegExp(`^${member.email},[^,]*,'=Plan,ACTIVE,Active,MONTH,9\\.00,USD,2`))
  expect(rest).toEqual([])
  const owner = await tenant.createStaff('OWNER')
  const { items } = await owner.client.admin.audit({ action: 'subscriptions.exported' })
  expect(items[0]).toMatchObject({ actor: `staff:${email}`, detail: { filters: { q: member.email } } })
  const analyst = await tenant.createStaff('ANALYST')
  expect((await analyst.client.admin.subscriptions.list({})).items).toHaveLength(2)
  expect((await failureOf(analyst.client.admin.subscriptions.export({}))).status).toBe(403)
})
