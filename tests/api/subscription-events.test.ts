import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { sessions } from '#api/modules/identity/identity.schema.ts'
import { subscriptionCharges, subscriptionEvents, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { endMemberSubscription } from '#api/modules/subscriptions/ending.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { keyed } from '#tests/support/buying.ts'
import { beginCard, type StoredCardName, storedTestCards } from '#tests/support/card-registration.ts'
import { createPlan, createPlanTenant, type TestPlan } from '#tests/support/plans.ts'
import { checkProperty } from '#tests/support/property.ts'
import { day, sweep } from '#tests/support/subscribing.ts'
import { type Program, programOf, shown } from '#tests/support/subscriptions-by-staff.ts'
import type { Tenant, TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const hour = 3_600_000

type PlanName = 'small' | 'large' | 'tried' | 'yearly'
type Step =
  | { kind: 'CARD'; card: StoredCardName; replaces: boolean }
  | { kind: 'SUBSCRIBE' | 'CHANGE'; plan: PlanName }
  | { kind: 'STAFF_CHANGE'; plan: PlanName; now: boolean }
  | { kind: 'STAFF_PAUSE'; days: number | null }
  | { kind: 'STAFF_RESUME' }
  | { kind: 'CANCEL' | 'RESUME' | 'END_PAUSE' | 'RETRY' | 'SWEEP' | 'DELIVER' | 'CONFIRM' | 'LEAVE' }
  | { kind: 'WAIT'; milliseconds: number }

const plan = fc.constantFrom<PlanName>('small', 'large', 'tried', 'yearly')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('CARD' as const),
      card: fc.constantFrom(...(Object.keys(storedTestCards) as StoredCardName[])),
      replaces: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('SUBSCRIBE' as const, 'CHANGE' as const), plan }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('CANCEL', 'RESUME', 'END_PAUSE', 'RETRY', 'SWEEP', 'SWEEP', 'DELIVER', 'CONFIRM' as const),
    }) as fc.Arbitrary<Step>,
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('STAFF_PAUSE' as const), days: fc.constantFrom(null, 20, 40, 370) }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'STAFF_RESUME' }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('STAFF_CHANGE' as const), plan, now: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'LEAVE' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('WAIT' as const),
      milliseconds: fc.constantFrom(3_000, 61_000, 5 * hour, day, 4 * day, 8 * day, 31 * day),
    }),
  },
)

/** A refusal is a valid outcome; any other error fails the test. */
const allowed = async <Answer>(call: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await call
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === undefined || (status >= 500 && status !== 502)) throw error
    return undefined
  }
}

const readBooks = async (tenant: Tenant, member: TestMember) =>
  tenant.within(async (db) => {
    const ofMember = <Table extends typeof subscriptions | typeof subscriptionCharges | typeof subscriptionEvents>(
      table: Table,
    ) => and(eq(table.customerId, tenant.id), eq(table.memberId, member.id))
    const charges = await db.select().from(subscriptionCharges).where(ofMember(subscriptionCharges))
    const references = new Set<string>(charges.map(({ id }) => id))
    const all = await db.select().from(sandboxPayments).where(eq(sandboxPayments.customerId, tenant.id))
    return {
      charges,
      subscriptions: await db.select().from(subscriptions).where(ofMember(subscriptions)),
      events: await db
        .select()
        .from(subscriptionEvents)
        .where(ofMember(subscriptionEvents))
        .orderBy(subscriptionEvents.at, subscriptionEvents.id),
      provider: all.filter(({ reference }) => references.has(reference)),
    }
  })
type Ledger = Awaited<ReturnType<typeof readBooks>>

const sum = (amounts: readonly (number | null)[]) => amounts.reduce<number>((total, one) => total + (one ?? 0), 0)
const paidCharges = ({ charges }: Ledger) =>
  charges.filter(({ status, failure }) => status === 'PAID' && failure === null)

/**
 * Whether a member should have access, calculated from charges and events, not from the
 * subscription's own dates.
 */
const shouldHaveAccess = (ledger: Ledger, now: number): boolean =>
  ledger.subscriptions.some((subscription) => {
    const events = ledger.events.filter(({ subscriptionId }) => subscriptionId === subscription.id)
    const last = (...types: string[]) => events.filter(({ type }) => types.includes(type)).at(-1)
    if (last('ENDED') || !last('STARTED', 'TRIAL_STARTED')) return false
    const paid = paidCharges(ledger).filter(({ subscriptionId }) => subscriptionId === subscription.id)
    const trialEnd = last('TRIAL_STARTED') ? Date.parse(subscription.trialEndsAt ?? '') : 0
    // The latest payment has the present period, which a change to a shorter cycle may have begun.
    const latest = paid.toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1)).at(-1)
    const until = latest ? Date.parse(latest.periodEnd) : trialEnd
    const pause = last('PAUSED', 'RESUMED')
    if (last('CANCEL_SET', 'CANCEL_UNDONE')?.type === 'CANCEL_SET') return now < until
    if (pause?.type === 'PAUSED') return now < until
    const resumed = pause ? Date.parse(pause.at) : 0
    const trouble = last('OVERDUE', 'RECOVERED')
    const overdueAt = trouble?.type === 'OVERDUE' ? Date.parse(trouble.at) : 0
    const since = overdueAt > resumed ? overdueAt : Math.max(until, resumed)
    return now < Math.max(until, since + 7 * day)
  })

const checkInvariants = async (ledger: Ledger, member: TestMember) => {
  expect(ledger.subscriptions.filter(({ endedAt }) => endedAt === null).length).toBeLessThanOrEqual(1)
  expect(ledger.events.filter(({ type }) => type === 'TRIAL_STARTED').length).toBeLessThanOrEqual(1)
  for (const { id } of ledger.subscriptions) {
    const periods = paidCharges(ledger)
      .filter(({ subscriptionId, kind }) => subscriptionId === id && kind !== 'UPGRADE')
      .map(({ periodStart, periodEnd }) => [Date.parse(periodStart), Date.parse(periodEnd)] as const)
      .sort(([a], [b]) => a - b)
    for (const [index, [start, end]] of periods.entries()) {
      expect(end).toBeGreaterThan(start)
      if (index > 0) expect(start).toBeGreaterThanOrEqual(periods[index - 1]![1])
    }
  }
  const open = (await member.client.identity.me()).usePlan.regular
  expect(open).toBe(shouldHaveAccess(ledger, api.clock.now().getTime()))
}

/** After the last sweep no charge is pending, and the ledgers agree. */
const checkSettled = (ledger: Ledger) => {
  expect(ledger.charges.filter(({ status }) => status === 'PENDING')).toEqual([])
  const taken = ledger.provider.filter(({ chargedAt }) => chargedAt !== null)
  const ours = ledger.charges.filter(({ status, amount }) => status === 'PAID' && amount > 0)
  expect(taken.map(({ reference, amount }) => [reference, amount]).sort()).toEqual(
    ours.map(({ id, amount }) => [id, amount]).sort(),
  )
  const had = sum(taken.map(({ amount, refundedAmount }) => amount - refundedAmount))
  expect(had).toBe(sum(paidCharges(ledger).map(({ amount, refundedAmount }) => amount - refundedAmount)))
  const amountOf = (type: string) =>
    sum(ledger.events.filter((event) => event.type === type).map(({ amount }) => amount))
  expect(amountOf('CHARGED')).toBe(sum(paidCharges(ledger).map(({ amount }) => amount)))
  expect(amountOf('REFUNDED')).toBe(sum(taken.map(({ refundedAmount }) => refundedAmount)))
}

test('random events in any order leave one subscription, each period paid once, and access for paid periods alone', async () => {
  const tenant = await createPlanTenant(api)
  const plans: Record<PlanName, TestPlan> = {
    small: await createPlan(tenant, { price: 900 }),
    large: await createPlan(tenant, { price: 2500, streams: 4 }),
    tried: await createPlan(tenant, { price: 1300, trialDays: 10 }),
    yearly: await createPlan(tenant, { price: 9900, cycle: 'YEAR' }),
  }
  const staff = await programOf(api, tenant)
  const customer = (await resolveCustomer(api.deps, tenant.code))!

  await checkProperty(
    fc.asyncProperty(
      fc.constantFrom<StoredCardName>('success', 'success', 'renewalsDeclined', 'recovers', 'timeout', 'late'),
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 14 }),
      async (card, rounds) => {
        const member = await tenant.createMember()
        await tenant.within((db) =>
          db.update(sessions).set({ expiresAt: '2200-01-01T00:00:00.000Z' }).where(eq(sessions.memberId, member.id)),
        )
        const calls = member.client
        /** Calls the API as staff who see the subscription as it is. */
        const asSeen = async (call: (client: Program['client']) => Promise<unknown>) => {
          const { current } = await shown(staff, member)
          return current && allowed(call(staff.withVersion(current.version)))
        }
        let subscriptionId: string | null = null
        const run = async (one: Step): Promise<unknown> => {
          switch (one.kind) {
            case 'CARD': {
              const { items } = await calls.billing.cards()
              // Of two cards of a round that replace the same card, the second may be refused.
              const begun = one.replaces
                ? await allowed(beginCard(api, tenant, member, items[0]?.id))
                : await beginCard(api, tenant, member)
              if (!begun) return undefined
              const { id, page } = begun
              await page.save(storedTestCards[one.card], { expiry: '12 / 99' })
              if (one.card === 'challenge') await page.challenge('123456')
              await calls.billing.confirmCard({ id })
              return one.replaces ? undefined : allowed(calls.billing.makeDefault({ id }))
            }
            case 'SUBSCRIBE': {
              const [card] = (await calls.billing.cards()).items
              return allowed(
                keyed(api, tenant, member)
                  .subscriptions.subscribe({
                    id: plans[one.plan].id,
                    expectedPrice: plans[one.plan].price,
                    agreeRecurring: true,
                    returnUrl: '/plans/payment-result',
                    ...(card ? { cardId: card.id } : {}),
                  })
                  .then((begun) => {
                    subscriptionId = begun.subscriptionId
                  }),
              )
            }
            case 'CHANGE':
              return allowed(
                calls.subscriptions.quote({ planId: plans[one.plan].id }).then(({ id }) =>
                  keyed(api, tenant, member).subscriptions.changePlan({
                    planId: plans[one.plan].id,
                    ...(id ? { quoteId: id } : {}),
                  }),
                ),
              )
            case 'CANCEL':
              return allowed(calls.subscriptions.cancelSubscription({}))
            case 'RESUME':
              return allowed(calls.subscriptions.resumeSubscription())
            case 'END_PAUSE':
              return allowed(keyed(api, tenant, member).subscriptions.endPause())
            case 'RETRY':
              return allowed(keyed(api, tenant, member).subscriptions.retryCharge())
            case 'CONFIRM':
              return subscriptionId && allowed(calls.subscriptions.confirmSubscription({ id: subscriptionId as never }))
            case 'SWEEP':
              return sweep(api, tenant)
            case 'DELIVER':
              return api.deps.sandbox.deliverDue(customer, (request) => api.fetch(request))
            case 'STAFF_PAUSE': {
              const until = one.days && new Date(api.clock.now().getTime() + one.days * day).toISOString().slice(0, 10)
              return asSeen(({ admin }) =>
                admin.members.pauseSubscription({ id: member.id, reason: 'none', ...(until && { until }) }),
              )
            }
            case 'STAFF_RESUME':
              return asSeen(({ admin }) => admin.members.resumeSubscription({ id: member.id, reason: 'none' }))
            case 'STAFF_CHANGE':
              return asSeen(async ({ admin }) => {
                const planId = plans[one.plan].id
                if (!one.now) return admin.members.changePlan({ id: member.id, planId, reason: 'none' })
                const { now } = await admin.members.quotePlanChange({ id: member.id, planId })
                return now && admin.members.changePlanNow({ id: member.id, quoteId: now.id, reason: 'none' })
              })
            case 'LEAVE':
              return unattendedPaymentCtx(api.deps, customer, 'a-test').inTransaction((ctx) =>
                endMemberSubscription(ctx, member.id, 'REFUNDED'),
              )
            case 'WAIT':
              return api.clock.advance(one.milliseconds)
            default:
              return one satisfies never
          }
        }
        const opening: Step[][] = [[{ kind: 'CARD', card, replaces: false }], [{ kind: 'SUBSCRIBE', plan: 'small' }]]
        const closing: Step[][] = [
          ...[[{ kind: 'WAIT', milliseconds: 61_000 }], [{ kind: 'SWEEP' }], [{ kind: 'WAIT', milliseconds: 61_000 }]],
          [{ kind: 'SWEEP' }],
        ] as Step[][]
        // Steps of a round run concurrently, rounds one after the other.
        for (const round of [...opening, ...rounds, ...closing]) {
          await Promise.all(round.map(run))
          await checkInvariants(await readBooks(tenant, member), member)
        }
        checkSettled(await readBooks(tenant, member))
      },
    ),
    { wanted: 24, min: 12, milliseconds: 30_000 },
  )
}, 120_000)
