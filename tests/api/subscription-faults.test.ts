import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { maintainCards } from '#api/modules/billing/cards.jobs.ts'
import type { PaymentEnv } from '#api/modules/billing/payment-states.ts'
import { type CardVault, type PaymentProvider, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { unattendedPaymentEnv } from '#api/modules/billing/providers/providers.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { subscriptionCharges, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { endSubscription, refundCharge } from '#api/modules/subscriptions/ending.ts'
import { renewDue } from '#api/modules/subscriptions/renewals.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { audit } from '#api/platform/audit.schema.ts'
import type { PaymentId } from '#contract/ids.ts'
import { keyed } from '#tests/support/buying.ts'
import { addCard } from '#tests/support/card-registration.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { day, passDays, subscriber, subscribeWith, sweep } from '#tests/support/subscribing.ts'
import { password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'
import { sendWebhook } from '#tests/support/webhooks.ts'

const api = createTestApi()

const arrange = async (card: Parameters<typeof subscriber>[3] = 'success') => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant)
  return { tenant, plan, ...(await subscriber(api, tenant, plan, card)) }
}

const envOf = async (tenant: Tenant): Promise<PaymentEnv> => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return unattendedPaymentEnv(api.deps, customer!, 'a-test')
}

const booksOf = (tenant: Tenant) =>
  tenant.within(async (db) => ({
    charges: await db.select().from(subscriptionCharges).orderBy(subscriptionCharges.createdAt),
    provider: await db.select().from(sandboxPayments),
    subscriptions: await db.select().from(subscriptions),
  }))

const isOpen = async (tenant: Tenant, { email }: TestMember) => {
  const { token } = await tenant.guest.accounts.login({ email, password })
  return (await api.client(tenant.code, { token }).accounts.me()).usePlan.regular
}

class Stopped extends Error {}

type Charge = CardVault['charge']

/** The same program, whose provider charges cards in its own way. */
const charging = (env: PaymentEnv, change: (charge: Charge) => Charge): PaymentEnv => {
  const cards = { ...env.provider.cards!, charge: change(env.provider.cards!.charge) }
  return atAnother(env, { cards })
}

const atAnother = (env: PaymentEnv, change: Partial<PaymentProvider>): PaymentEnv => {
  const provider = { ...env.provider, ...change }
  return { ...env, provider, providerNamed: () => provider }
}

/** The program, which stops at one moment of a renewal. */
const dying = {
  'before the provider is asked': (env: PaymentEnv) => charging(env, () => () => Promise.reject(new Stopped())),
  'after the provider has charged': (env: PaymentEnv) =>
    charging(env, (charge) => async (...asked) => {
      await charge(...asked)
      throw new Stopped()
    }),
  'while the answer is written down': (env: PaymentEnv): PaymentEnv => {
    let charged = false
    const counting = charging(env, (charge) => async (...asked) => {
      const answer = await charge(...asked)
      charged = true
      return answer
    })
    return {
      ...counting,
      inTransaction: (work) =>
        env.inTransaction(async (ctx) => {
          const answer = await work(ctx)
          if (charged) throw new Stopped()
          return answer
        }),
    }
  },
}

describe('A renewal that is cut off', () => {
  test.each(Object.keys(dying) as (keyof typeof dying)[])(
    '%s is finished after the start, and charged once',
    async (when) => {
      const { tenant, member } = await arrange()
      api.clock.advance(31 * day)
      await renewDue(dying[when](await envOf(tenant))).catch(() => undefined)
      const left = await booksOf(tenant)
      expect(left.charges.map(({ status }) => status)).toEqual(['PAID', 'PENDING'])
      expect(await isOpen(tenant, member)).toBe(true)
      // Nobody begins another charge of the period meanwhile.
      await sweep(api, tenant)
      expect((await booksOf(tenant)).charges).toHaveLength(2)
      api.clock.advance(61_000)
      await Promise.all([sweep(api, tenant), sweep(api, tenant), sweep(api, tenant)])
      const after = await booksOf(tenant)
      expect(after.charges.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
      expect(after.provider).toHaveLength(2)
      expect(after.subscriptions[0]).toMatchObject({ status: 'PROCEEDING', periodEnd: after.charges[1]?.periodEnd })
    },
  )

  test('at a provider that is away for a day waits for it, and goes on', async () => {
    const { tenant, member } = await arrange()
    const env = await envOf(tenant)
    const away = () => Promise.reject(new ProviderUnavailable('Away'))
    const cards = { ...env.provider.cards!, charge: away, query: away, remove: away, register: away }
    const without = atAnother(env, { query: away, refund: away, cards })
    api.clock.advance(31 * day)
    for (let hour = 0; hour < 4; hour++) {
      await renewDue(without)
      await maintainCards(without)
      api.clock.advance(6 * 3_600_000)
    }
    expect(await isOpen(tenant, member)).toBe(true)
    await sweep(api, tenant)
    const { charges, provider } = await booksOf(tenant)
    expect(charges.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
    expect(provider).toHaveLength(2)
  })
})

describe('A provider that is away for weeks', () => {
  const awayFor = async (tenant: Tenant, days: number) => {
    const env = await envOf(tenant)
    const away = () => Promise.reject(new ProviderUnavailable('Away'))
    const cards = { ...env.provider.cards!, charge: away, query: away, remove: away, register: away }
    for (let passed = 0; passed < days; passed++) {
      await renewDue(atAnother(env, { query: away, refund: away, cards }))
      api.clock.advance(day)
    }
  }

  test('is paid for a period that begins when it is back: nobody pays for time without access', async () => {
    const { tenant, member } = await arrange()
    api.clock.advance(31 * day)
    await awayFor(tenant, 10)
    expect(await isOpen(tenant, member)).toBe(false)
    const now = api.clock.now().getTime()
    await sweep(api, tenant)
    expect(await isOpen(tenant, member)).toBe(true)
    const { charges, subscriptions: rows, provider } = await booksOf(tenant)
    expect(charges).toMatchObject([{ status: 'PAID' }, { status: 'PAID', kind: 'RENEWAL' }])
    const { periodStart, periodEnd } = charges[1]!
    expect(rows).toMatchObject([{ periodStart, periodEnd }])
    expect(Date.parse(periodStart)).toBeGreaterThanOrEqual(now)
    expect(Date.parse(periodEnd) - Date.parse(periodStart)).toBeGreaterThanOrEqual(28 * day)
    expect(provider).toHaveLength(2)
  })

  test('is not asked for an overdue renewal whose last day has passed meanwhile', async () => {
    const { tenant, member } = await arrange('recovers')
    await passDays(api, tenant, 31)
    const failed = (await booksOf(tenant)).charges.filter(({ status }) => status === 'FAILED').length
    expect(failed).toBeGreaterThan(0)
    // The next try is written down, and nobody hears of it until long after the grace.
    api.clock.advance(day)
    await awayFor(tenant, 12)
    await sweep(api, tenant)
    const { charges, subscriptions: rows } = await booksOf(tenant)
    expect(charges.filter(({ status }) => status === 'PAID')).toHaveLength(1)
    expect(charges.filter(({ status }) => status === 'PENDING')).toEqual([])
    expect(rows).toMatchObject([{ endReason: 'UNPAID' }])
    expect(await isOpen(tenant, member)).toBe(false)
  })
})

describe('What a provider says', () => {
  test('is asked about, never believed: a webhook pays for nothing', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan, 'late')
    const charge = (await booksOf(tenant)).charges.find(({ status }) => status === 'PENDING')
    expect((await sendWebhook(api, tenant, { reference: charge!.id })).status).toBe(503)
    expect(await isOpen(tenant, member)).toBe(false)
    api.clock.advance(6_000)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendWebhook(api, tenant, { reference: charge!.id })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect(await isOpen(tenant, member)).toBe(true)
    const { items } = await member.client.plans.subscriptionHistory({})
    expect(items.map(({ type }) => type)).toEqual(['CHARGED', 'STARTED'])
  })
})

describe('Leaving the store', () => {
  test('ends the subscription at once and takes the cards along; a charge under way is given back', async () => {
    const { tenant, member } = await arrange('late')
    const env = await envOf(tenant)
    expect(await env.inTransaction((ctx) => endSubscription(ctx, member.id, 'WITHDRAWN'))).toBe(true)
    expect(await env.inTransaction((ctx) => endSubscription(ctx, member.id, 'WITHDRAWN'))).toBe(false)
    expect((await member.client.cards.cards()).items).toEqual([])
    api.clock.advance(61_000)
    await Promise.all([sweep(api, tenant), sweep(api, tenant)])
    await sweep(api, tenant)
    const { charges, provider, subscriptions: rows } = await booksOf(tenant)
    expect(rows).toMatchObject([{ endReason: 'WITHDRAWN' }])
    expect(charges).toMatchObject([{ status: 'PAID', failure: 'UNAPPLIED', refundedAmount: 900 }])
    expect(provider).toMatchObject([{ status: 'PAID', refundedAmount: 900 }])
    const { items } = await member.client.plans.subscriptionHistory({})
    expect(items.filter(({ type }) => type === 'REFUNDED')).toHaveLength(1)
    expect(await isOpen(tenant, member)).toBe(false)
  })
})

describe('A charge that came too late', () => {
  test('and that the provider refuses to give back becomes a case, is tried later and later, and goes back once', async () => {
    const { tenant, member } = await arrange('late')
    const env = await envOf(tenant)
    await env.inTransaction((ctx) => endSubscription(ctx, member.id, 'WITHDRAWN'))
    api.clock.advance(61_000)
    let asked = 0
    const refusing = atAnother(env, {
      refund: async () => {
        asked += 1
        return { code: 'REFUSED', reason: 'CARD_CLOSED' }
      },
    })
    for (let minute = 0; minute < 20; minute++) {
      await renewDue(refusing)
      api.clock.advance(60_000)
    }
    // At once, then after 2, 4 and 8 minutes.
    expect(asked).toBe(4)
    const openCases = () => tenant.within((db) => db.select().from(cases).where(eq(cases.type, 'CUSTOM')))
    expect(await openCases()).toMatchObject([
      { status: 'WAIT', data: { reason: 'CARD_CLOSED', amount: 900, attempts: 4 } },
    ])

    api.clock.advance(16 * 60_000)
    await sweep(api, tenant)
    expect(await openCases()).toMatchObject([{ status: 'COMPLETE' }])
    await sweep(api, tenant)
    expect((await booksOf(tenant)).provider).toMatchObject([{ refundedAmount: 900 }])
  })
})

describe('An operator', () => {
  test('gives a charge back in part and in whole, once each, and it is written down who did', async () => {
    const { tenant, member } = await arrange()
    const env = await envOf(tenant)
    const chargeId = (await booksOf(tenant)).charges[0]!.id as PaymentId
    const refund = (total: number, ends = false) =>
      refundCharge(env, { chargeId, total, ends, by: 'admin:mina', reason: 'Could not watch for a week' })
    await Promise.all([refund(300), refund(300), refund(300)])
    expect((await booksOf(tenant)).provider).toMatchObject([{ refundedAmount: 300 }])
    expect(await isOpen(tenant, member)).toBe(true)
    expect(await refund(901)).toMatchObject({ failure: 'VALIDATION_FAILED' })
    expect(await refund(900, true)).toBeUndefined()
    expect(await isOpen(tenant, member)).toBe(false)
    const { items } = await member.client.plans.subscriptionHistory({})
    const told = items.map(({ type, amount, detail }) => [type, amount?.amount ?? detail])
    expect(told.slice(0, 3)).toEqual([
      ['ENDED', 'REFUNDED'],
      ['REFUNDED', 600],
      ['REFUNDED', 300],
    ])
    const acts = await tenant.within((db) =>
      db.select().from(audit).where(eq(audit.action, 'subscription.refunded')).orderBy(audit.id),
    )
    expect(acts.map(({ actor, detail }) => [actor, detail.amount])).toEqual([
      ['admin:mina', 300],
      ['admin:mina', 600],
    ])
  })
})

describe('An operator', () => {
  test('gives an old charge back and leaves the subscription that stands now alone', async () => {
    const { tenant, member } = await arrange()
    const env = await envOf(tenant)
    const chargeId = (await booksOf(tenant)).charges[0]!.id as PaymentId
    await env.inTransaction((ctx) => endSubscription(ctx, member.id, 'REFUNDED'))
    expect(await isOpen(tenant, member)).toBe(false)
    const { items: cards } = await member.client.cards.cards()
    await subscribeWith(api, tenant, member, await createPlan(tenant), cards[0]!.id)
    expect(await isOpen(tenant, member)).toBe(true)
    const wish = { chargeId, total: 900, ends: true, by: 'admin:mina', reason: 'Promised by telephone' } as const
    expect(await refundCharge(env, wish)).toBeUndefined()
    expect(await isOpen(tenant, member)).toBe(true)
  })

  test('ends a subscription whose charge went back before', async () => {
    const { tenant, member } = await arrange()
    const env = await envOf(tenant)
    const chargeId = (await booksOf(tenant)).charges[0]!.id as PaymentId
    const wish = { chargeId, total: 900, by: 'admin:mina', reason: 'Could not watch' } as const
    expect(await refundCharge(env, { ...wish, ends: false })).toBeUndefined()
    expect(await refundCharge(env, { ...wish, ends: true })).toBeUndefined()
    expect(await isOpen(tenant, member)).toBe(false)
    expect((await booksOf(tenant)).provider).toMatchObject([{ refundedAmount: 900 }])
  })
})

describe('A store', () => {
  const change = (tenant: Tenant, set: Partial<typeof customers.$inferInsert>) =>
    api.owner.update(customers).set(set).where(eq(customers.customerId, tenant.id))

  test('that sells no plans any more charges for none: what is paid for runs out', async () => {
    const { tenant, member } = await arrange()
    const settings = { ...tenant.settings, order: { ...tenant.settings.order, useSubscribe: false } }
    await change(tenant, { settings })
    expect(await failureOf(keyed(api, tenant, member).plans.changePlan({ planId: tenant.id as never }))).toMatchObject({
      code: 'SUBSCRIBE_DISABLED',
    })
    await passDays(api, tenant, 20)
    expect(await isOpen(tenant, member)).toBe(true)
    await passDays(api, tenant, 12)
    expect(await isOpen(tenant, member)).toBe(false)
    const { charges, subscriptions: rows } = await booksOf(tenant)
    expect(charges).toHaveLength(1)
    expect(rows[0]?.endReason).toBe('CANCELLED')
  })
})

test('A subscription goes on with the card that is left when the one that paid is removed', async () => {
  const { tenant, member, cardId } = await arrange()
  const other = await addCard(api, tenant, member)
  await member.client.cards.makeDefault({ id: other.id })
  await member.client.cards.removeCard({ id: cardId })
  await passDays(api, tenant, 32)
  expect((await booksOf(tenant)).charges.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
})
