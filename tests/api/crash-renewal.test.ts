import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { subscriptionCharges, subscriptionEvents, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { customerBase } from '#contract/http.ts'
import { addCard } from '#tests/support/card-registration.ts'
import { atEachKillPoint, type CrashStep } from '#tests/support/crash.ts'
import { createPlan, createPlanTenant, type TestPlan } from '#tests/support/plans.ts'
import { subscriber, sweep } from '#tests/support/subscribing.ts'
import type { Tenant, TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const minutes = 60_000
/** Kill points tried per scenario, spread over all it has. */
const maxKillPoints = 18

interface Scenario {
  tenant: Tenant
  member: TestMember
}

const readSubscriptionLedger = ({ tenant, member: { id } }: Scenario) =>
  tenant.within(async (db) => {
    const charges = await db.select().from(subscriptionCharges).where(eq(subscriptionCharges.memberId, id))
    const references = charges.map((charge) => charge.id)
    const events = await db.select().from(subscriptionEvents).where(eq(subscriptionEvents.memberId, id))
    return {
      charges,
      payments: await db.select().from(sandboxPayments).where(inArray(sandboxPayments.reference, references)),
      memberSubscriptions: await db.select().from(subscriptions).where(eq(subscriptions.memberId, id)),
      chargedEvents: events.filter(({ type }) => type === 'CHARGED').length,
    }
  })

/** Runs the background work three times within four minutes, as after a restart. */
const restart = async (scenarios: readonly Scenario[]) => {
  for (let round = 0; round < 3; round++) {
    if (round > 0) api.clock.advance(2 * minutes)
    for (const { tenant } of scenarios) await sweep(api, tenant)
  }
}

test('a process killed during a renewal charges the period once and keeps the subscription', {
  timeout: 300_000,
}, async () => {
  const killPoints = await atEachKillPoint(api, {
    maxKillPoints,
    restart,
    prepare: async () => {
      const tenant = await createPlanTenant(api)
      const { member } = await subscriber(api, tenant, await createPlan(tenant))
      await tenant.within((db) =>
        db
          .update(subscriptions)
          .set({ periodEnd: api.clock.now().toISOString() })
          .where(eq(subscriptions.memberId, member.id)),
      )
      return { scenario: { tenant, member }, steps: [{ do: 'task', customer: tenant.code, task: 'subscriptions' }] }
    },
    check: async (scenario, killAt) => {
      const { charges, payments, memberSubscriptions, chargedEvents } = await readSubscriptionLedger(scenario)
      expect({ killAt, charges: charges.map(({ kind, status }) => `${kind} ${status}`).sort() }).toEqual({
        killAt,
        charges: ['FIRST PAID', 'RENEWAL PAID'],
      })
      expect(payments.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
      expect(chargedEvents).toBe(2)
      expect(memberSubscriptions).toMatchObject([{ status: 'PROCEEDING', endedAt: null }])
    },
  })
  expect(killPoints).toBeGreaterThanOrEqual(6)
})

const subscribing = (tenant: Tenant, member: TestMember, plan: TestPlan, cardId: string): CrashStep[] => {
  const headers = { authorization: `Bearer ${member.token}` }
  const at = (path: string) => customerBase(tenant.code) + path
  return [
    {
      do: 'request',
      method: 'POST',
      path: at(`/plans/${plan.id}/subscriptions`),
      headers: { ...headers, 'idempotency-key': randomUUID() },
      json: { cardId, returnUrl: '/plans/payment-result', expectedPrice: plan.price, agreeRecurring: true },
      save: { subscription: 'subscriptionId' },
    },
    { do: 'request', method: 'POST', path: at('/subscriptions/{subscription}/confirm'), headers, json: {} },
  ]
}

test('a process killed during subscribing charges once for an active subscription, or not at all', {
  timeout: 300_000,
}, async () => {
  const killPoints = await atEachKillPoint(api, {
    maxKillPoints,
    restart,
    prepare: async () => {
      const tenant = await createPlanTenant(api)
      const plan = await createPlan(tenant)
      const member = await tenant.createMember()
      const { id } = await addCard(api, tenant, member)
      return { scenario: { tenant, member }, steps: subscribing(tenant, member, plan, id) }
    },
    check: async (scenario, killAt) => {
      const { payments, memberSubscriptions, chargedEvents } = await readSubscriptionLedger(scenario)
      const live = memberSubscriptions.filter(({ endedAt }) => endedAt === null)
      expect({ killAt, payments: payments.length, chargedEvents }).toEqual({
        killAt,
        payments: live.length,
        chargedEvents: live.length,
      })
      expect(live.map(({ status }) => status)).toEqual(live.map(() => 'PROCEEDING'))
      expect(memberSubscriptions.length).toBeLessThanOrEqual(1)
    },
  })
  expect(killPoints).toBeGreaterThanOrEqual(6)
})
