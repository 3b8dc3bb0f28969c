import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pastTrials, subscriptionCharges } from '#api/modules/plans/plans.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { addCard } from '#tests/support/card-registration.ts'
import { createPlan, createPlanTenant, type TestPlan } from '#tests/support/plans.ts'
import { subscribeWith } from '#tests/support/subscribing.ts'
import { password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createPlanTenant(api)
  return {
    tenant,
    plan: await createPlan(tenant, { trialDays: 14 }),
    email: `Once-${randomUUID().slice(0, 8)}@example.com`,
  }
}

const subscribed = async (tenant: Tenant, member: TestMember, plan: TestPlan) => {
  const { id } = await addCard(api, tenant, member)
  return subscribeWith(api, tenant, member, plan, id)
}

const offered = async (member: TestMember, { id }: TestPlan) =>
  (await member.client.subscriptions.plan({ id })).trialAvailable

const readPastTrials = (tenant: Tenant) =>
  tenant.within((db) => db.select().from(pastTrials).where(eq(pastTrials.customerId, tenant.id)))

test('a former member who joins again with the same e-mail gets no second trial', async () => {
  const { tenant, plan, email } = await arrange()
  const first = await tenant.createMember(email)
  expect(await offered(first, plan)).toBe(true)
  expect(await subscribed(tenant, first, plan)).toMatchObject({ subscription: { trialEndsAt: expect.any(String) } })
  await first.client.identity.withdraw({ password })

  const again = await tenant.createMember(email.toLowerCase())
  expect(await offered(again, plan)).toBe(false)
  expect(await subscribed(tenant, again, plan)).toMatchObject({ subscription: { trialEndsAt: null } })
  const charges = await tenant.within((db) => db.select().from(subscriptionCharges))
  expect(charges).toMatchObject([{ kind: 'FIRST', status: 'PAID', memberId: again.id }])

  // A second withdrawal adds no record, and the record does not identify the member.
  await again.client.identity.withdraw({ password })
  const records = await readPastTrials(tenant)
  expect(records).toHaveLength(1)
  expect(JSON.stringify(records)).not.toContain('once-')
})

test('a new e-mail, and the same e-mail at another store, are offered a trial', async () => {
  const { tenant, plan, email } = await arrange()
  const looked = await tenant.createMember(email)
  await looked.client.identity.withdraw({ password })
  const again = await tenant.createMember(email)
  expect(await offered(again, plan)).toBe(true)
  await subscribed(tenant, again, plan)
  await again.client.identity.withdraw({ password })

  const other = await createPlanTenant(api)
  const elsewhere = await createPlan(other, { trialDays: 14 })
  expect(await offered(await other.createMember(email), elsewhere)).toBe(true)
})

test('the record of a trial is deleted after five years', async () => {
  const { tenant, plan, email } = await arrange()
  const member = await tenant.createMember(email)
  await subscribed(tenant, member, plan)
  await member.client.identity.withdraw({ password })
  await cleanUp(api, tenant)
  expect(await readPastTrials(tenant)).toHaveLength(1)
  api.clock.advance(5 * 366 * dayMilliseconds)
  await cleanUp(api, tenant)
  expect(await readPastTrials(tenant)).toEqual([])
})
