import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { subscriptionCharges, subscriptionEvents, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { customerBase } from '#contract/index.ts'
import { addCard } from '#tests/support/card-registration.ts'
import { type CrashStep, doAndDie } from '#tests/support/crash.ts'
import { createPlan, createPlanTenant, type TestPlan } from '#tests/support/plans.ts'
import { subscriber, sweep } from '#tests/support/subscribing.ts'
import type { Tenant, TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const minutes = 60_000
/** Moments of a scenario that are tried, spread over all it has: a process of its own dies for each. */
const most = 12

const booksOf = (tenant: Tenant, { id }: TestMember) =>
  tenant.within(async (db) => {
    const charges = await db.select().from(subscriptionCharges).where(eq(subscriptionCharges.memberId, id))
    const references = charges.map((charge) => charge.id)
    const events = await db.select().from(subscriptionEvents).where(eq(subscriptionEvents.memberId, id))
    return {
      charges,
      taken: await db.select().from(sandboxPayments).where(inArray(sandboxPayments.reference, references)),
      standing: await db.select().from(subscriptions).where(eq(subscriptions.memberId, id)),
      charged: events.filter(({ type }) => type === 'CHARGED').length,
    }
  })

/** Does the steps in a process that dies at moments from the first to the last, starts again, and lets the books be checked. */
const atEveryMoment = async (
  tenant: Tenant,
  prepare: () => Promise<{ member: TestMember; steps: CrashStep[] }>,
  check: (member: TestMember, killAt: number) => Promise<void>,
) => {
  const { moments } = await doAndDie(api, (await prepare()).steps, 0)
  const tried = Math.min(most, moments)
  for (let number = 1; number <= tried; number++) {
    const killAt = Math.round(1 + ((number - 1) * (moments - 1)) / Math.max(1, tried - 1))
    const { member, steps } = await prepare()
    expect((await doAndDie(api, steps, killAt)).killed).toBe(true)
    for (let round = 0; round < 2; round++) {
      await sweep(api, tenant)
      api.clock.advance(2 * minutes)
    }
    await sweep(api, tenant)
    await check(member, killAt)
  }
  return moments
}

test('A process killed at any moment of a renewal charges the period once, and it stands', {
  timeout: 300_000,
}, async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant)
  const moments = await atEveryMoment(
    tenant,
    async () => {
      const { member } = await subscriber(api, tenant, plan)
      // Everybody's renewal but this one's is far away.
      await tenant.within((db) =>
        db
          .update(subscriptions)
          .set({ periodEnd: api.clock.now().toISOString() })
          .where(eq(subscriptions.memberId, member.id)),
      )
      return { member, steps: [{ do: 'chore', customer: tenant.code, chore: 'subscriptions' }] }
    },
    async (member, killAt) => {
      const { charges, taken, standing, charged } = await booksOf(tenant, member)
      expect({ killAt, charges: charges.map(({ kind, status }) => `${kind} ${status}`).sort() }).toEqual({
        ...{ killAt, charges: ['FIRST PAID', 'RENEWAL PAID'] },
      })
      expect(taken.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
      expect(charged).toBe(2)
      expect(standing).toMatchObject([{ status: 'PROCEEDING', endedAt: null }])
    },
  )
  expect(moments).toBeGreaterThanOrEqual(6)
})

const subscribing = (tenant: Tenant, member: TestMember, plan: TestPlan, cardId: string): CrashStep[] => {
  const headers = { authorization: `Bearer ${member.token}` }
  const at = (path: string) => customerBase(tenant.code) + path
  return [
    {
      ...{ do: 'request', method: 'POST', path: at(`/plans/${plan.id}/subscriptions`) },
      headers: { ...headers, 'idempotency-key': randomUUID() },
      json: { cardId, returnUrl: '/plans/payment-result', expectedPrice: plan.price, agreeRecurring: true },
      keep: { subscription: 'subscriptionId' },
    },
    { ...{ do: 'request', method: 'POST', path: at('/subscriptions/{subscription}/confirm') }, headers, json: {} },
  ]
}

test('A process killed at any moment of subscribing charges once for what is had, or not at all', {
  timeout: 300_000,
}, async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant)
  const moments = await atEveryMoment(
    tenant,
    async () => {
      const member = await tenant.createMember()
      const { id } = await addCard(api, tenant, member)
      return { member, steps: subscribing(tenant, member, plan, id) }
    },
    async (member, killAt) => {
      const { taken, standing, charged } = await booksOf(tenant, member)
      const live = standing.filter(({ endedAt }) => endedAt === null)
      expect({ killAt, taken: taken.length, charged }).toEqual({ killAt, taken: live.length, charged: live.length })
      expect(live.map(({ status }) => status)).toEqual(live.map(() => 'PROCEEDING'))
      expect(standing.length).toBeLessThanOrEqual(1)
    },
  )
  expect(moments).toBeGreaterThanOrEqual(6)
})
