import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { maintainCards } from '#api/modules/billing/cards.jobs.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { type CardVault, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { subscriptionCharges, subscriptions } from '#api/modules/plans/plans.schema.ts'
import { endMemberSubscription, refundCharge } from '#api/modules/subscriptions/ending.ts'
import { renewDue } from '#api/modules/subscriptions/renewals.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import type { PaymentId } from '#contract/ids.ts'
import { keyed } from '#tests/support/buying.ts'
import { addCard } from '#tests/support/card-registration.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { withProvider } from '#tests/support/reconciling.ts'
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

const ctxOf = async (tenant: Tenant): Promise<PaymentCtx> => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return unattendedPaymentCtx(api.deps, customer!, 'a-test')
}

const readLedger = (tenant: Tenant) =>
  tenant.within(async (db) => ({
    charges: await db.select().from(subscriptionCharges).orderBy(subscriptionCharges.createdAt),
    provider: await db.select().from(sandboxPayments),
    subscriptions: await db.select().from(subscriptions),
  }))

const isOpen = async (tenant: Tenant, { email }: TestMember) => {
  const { token } = await tenant.guest.identity.login({ email, password })
  return (await api.client(tenant.code, { token }).identity.me()).usePlan.regular
}

class Stopped extends Error {
  override readonly name = 'Stopped'
}

type Charge = CardVault['charge']

/** The same environment, with the provider's charge replaced. */
const charging = (ctx: PaymentCtx, change: (charge: Charge) => Charge): PaymentCtx => {
  const cards = { ...ctx.provider.cards!, charge: change(ctx.provider.cards!.charge) }
  return withProvider(ctx, { cards })
}

/** Environments in which a renewal stops at one point. */
const dying = {
  'before the provider is called': (ctx: PaymentCtx) => charging(ctx, () => () => Promise.reject(new Stopped())),
  'after the provider has charged': (ctx: PaymentCtx) =>
    charging(ctx, (charge) => async (...args) => {
      await charge(...args)
      throw new Stopped()
    }),
  'while the answer is stored': (ctx: PaymentCtx): PaymentCtx => {
    let charged = false
    const counting = charging(ctx, (charge) => async (...args) => {
      const answer = await charge(...args)
      charged = true
      return answer
    })
    return {
      ...counting,
      inTransaction: (work) =>
        ctx.inTransaction(async (tx) => {
          const answer = await work(tx)
          if (charged) throw new Stopped()
          return answer
        }),
    }
  },
}

describe('an interrupted renewal', () => {
  test.each(Object.keys(dying) as (keyof typeof dying)[])(
    '%s is completed after a restart and charged once',
    async (when) => {
      const { tenant, member } = await arrange()
      api.clock.advance(31 * day)
      await renewDue(dying[when](await ctxOf(tenant))).catch(() => undefined)
      const interrupted = await readLedger(tenant)
      expect(interrupted.charges.map(({ status }) => status)).toEqual(['PAID', 'PENDING'])
      expect(await isOpen(tenant, member)).toBe(true)
      // No second charge of the period is started.
      await sweep(api, tenant)
      expect((await readLedger(tenant)).charges).toHaveLength(2)
      api.clock.advance(61_000)
      await Promise.all([sweep(api, tenant), sweep(api, tenant), sweep(api, tenant)])
      const after = await readLedger(tenant)
      expect(after.charges.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
      expect(after.provider).toHaveLength(2)
      expect(after.subscriptions[0]).toMatchObject({ status: 'PROCEEDING', periodEnd: after.charges[1]?.periodEnd })
    },
  )

  test('at a provider that is unavailable for a day waits and continues', async () => {
    const { tenant, member } = await arrange()
    const ctx = await ctxOf(tenant)
    const away = () => Promise.reject(new ProviderUnavailable('Away'))
    const cards = { ...ctx.provider.cards!, charge: away, query: away, remove: away, register: away }
    const without = withProvider(ctx, { query: away, refund: away, cards })
    api.clock.advance(31 * day)
    for (let hour = 0; hour < 4; hour++) {
      await renewDue(without)
      await maintainCards(without)
      api.clock.advance(6 * 3_600_000)
    }
    expect(await isOpen(tenant, member)).toBe(true)
    await sweep(api, tenant)
    const { charges, provider } = await readLedger(tenant)
    expect(charges.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
    expect(provider).toHaveLength(2)
  })
})

describe('a renewal at a provider that is unavailable for weeks', () => {
  const awayFor = async (tenant: Tenant, days: number) => {
    const ctx = await ctxOf(tenant)
    const away = () => Promise.reject(new ProviderUnavailable('Away'))
    const cards = { ...ctx.provider.cards!, charge: away, query: away, remove: away, register: away }
    for (let passed = 0; passed < days; passed++) {
      await renewDue(withProvider(ctx, { query: away, refund: away, cards }))
      api.clock.advance(day)
    }
  }

  test('charges a period that begins at its return: nobody pays for time without access', async () => {
    const { tenant, member } = await arrange()
    api.clock.advance(31 * day)
    await awayFor(tenant, 10)
    expect(await isOpen(tenant, member)).toBe(false)
    const now = api.clock.now().getTime()
    await sweep(api, tenant)
    expect(await isOpen(tenant, member)).toBe(true)
    const { charges, subscriptions: rows, provider } = await readLedger(tenant)
    expect(charges).toMatchObject([{ status: 'PAID' }, { status: 'PAID', kind: 'RENEWAL' }])
    const { periodStart, periodEnd } = charges[1]!
    expect(rows).toMatchObject([{ periodStart, periodEnd }])
    expect(Date.parse(periodStart)).toBeGreaterThanOrEqual(now)
    expect(Date.parse(periodEnd) - Date.parse(periodStart)).toBeGreaterThanOrEqual(28 * day)
    expect(provider).toHaveLength(2)
  })

  test('that is overdue is not retried once its last day has passed', async () => {
    const { tenant, member } = await arrange('recovers')
    await passDays(api, tenant, 31)
    const failed = (await readLedger(tenant)).charges.filter(({ status }) => status === 'FAILED').length
    expect(failed).toBeGreaterThan(0)
    // The next retry is scheduled, and runs long after the grace period.
    api.clock.advance(day)
    await awayFor(tenant, 12)
    await sweep(api, tenant)
    const { charges, subscriptions: rows } = await readLedger(tenant)
    expect(charges.filter(({ status }) => status === 'PAID')).toHaveLength(1)
    expect(charges.filter(({ status }) => status === 'PENDING')).toEqual([])
    expect(rows).toMatchObject([{ endReason: 'UNPAID' }])
    expect(await isOpen(tenant, member)).toBe(false)
  })
})

describe('a provider’s webhook', () => {
  test('is verified with the provider and settles nothing by itself', async () => {
    const { tenant, plan } = await arrange()
    const { member } = await subscriber(api, tenant, plan, 'late')
    const charge = (await readLedger(tenant)).charges.find(({ status }) => status === 'PENDING')
    expect((await sendWebhook(api, tenant, { reference: charge!.id })).status).toBe(503)
    expect(await isOpen(tenant, member)).toBe(false)
    api.clock.advance(6_000)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendWebhook(api, tenant, { reference: charge!.id })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect(await isOpen(tenant, member)).toBe(true)
    const { items } = await member.client.subscriptions.subscriptionHistory({})
    expect(items.map(({ type }) => type)).toEqual(['CHARGED', 'STARTED'])
  })
})

describe('a withdrawal from the store', () => {
  test('ends the subscription at once, removes the cards and refunds a charge in progress', async () => {
    const { tenant, member } = await arrange('late')
    const ctx = await ctxOf(tenant)
    expect(await ctx.inTransaction((tx) => endMemberSubscription(tx, member.id, 'WITHDRAWN'))).toBe(true)
    expect(await ctx.inTransaction((tx) => endMemberSubscription(tx, member.id, 'WITHDRAWN'))).toBe(false)
    expect((await member.client.billing.cards()).items).toEqual([])
    api.clock.advance(61_000)
    await Promise.all([sweep(api, tenant), sweep(api, tenant)])
    await sweep(api, tenant)
    const { charges, provider, subscriptions: rows } = await readLedger(tenant)
    expect(rows).toMatchObject([{ endReason: 'WITHDRAWN' }])
    expect(charges).toMatchObject([{ status: 'PAID', failure: 'UNAPPLIED', refundedAmount: 900 }])
    expect(provider).toMatchObject([{ status: 'PAID', refundedAmount: 900 }])
    const { items } = await member.client.subscriptions.subscriptionHistory({})
    expect(items.filter(({ type }) => type === 'REFUNDED')).toHaveLength(1)
    expect(await isOpen(tenant, member)).toBe(false)
  })
})

describe('a charge settled too late', () => {
  test('opens a case when its refund fails; the refund is retried at growing intervals and made once', async () => {
    const { tenant, member } = await arrange('late')
    const ctx = await ctxOf(tenant)
    await ctx.inTransaction((tx) => endMemberSubscription(tx, member.id, 'WITHDRAWN'))
    api.clock.advance(61_000)
    let queries = 0
    const refusing = withProvider(ctx, {
      refund: async () => {
        queries += 1
        return { code: 'REFUSED', reason: 'CARD_CLOSED' }
      },
    })
    for (let minute = 0; minute < 20; minute++) {
      await renewDue(refusing)
      api.clock.advance(60_000)
    }
    // Immediately, then after 2, 4 and 8 minutes.
    expect(queries).toBe(4)
    const openCases = () => tenant.within((db) => db.select().from(cases).where(eq(cases.type, 'CUSTOM')))
    expect(await openCases()).toMatchObject([
      { status: 'WAIT', data: { reason: 'CARD_CLOSED', amount: 900, attempts: 4 } },
    ])

    api.clock.advance(16 * 60_000)
    await sweep(api, tenant)
    expect(await openCases()).toMatchObject([{ status: 'COMPLETE' }])
    await sweep(api, tenant)
    expect((await readLedger(tenant)).provider).toMatchObject([{ refundedAmount: 900 }])
  })
})

describe('an operator', () => {
  test('refunds a charge in part and in full, once each, with their name in the record', async () => {
    const { tenant, member } = await arrange()
    const ctx = await ctxOf(tenant)
    const chargeId = (await readLedger(tenant)).charges[0]!.id as PaymentId
    const refund = (total: number, ends = false) =>
      refundCharge(ctx, { chargeId, total, ends, by: 'admin:mina', reason: 'Could not watch for a week' })
    await Promise.all([refund(300), refund(300), refund(300)])
    expect((await readLedger(tenant)).provider).toMatchObject([{ refundedAmount: 300 }])
    expect(await isOpen(tenant, member)).toBe(true)
    expect(await refund(901)).toMatchObject({ failure: 'VALIDATION_FAILED' })
    expect(await refund(900, true)).toBeUndefined()
    expect(await isOpen(tenant, member)).toBe(false)
    const { items } = await member.client.subscriptions.subscriptionHistory({})
    const history = items.map(({ type, amount, detail }) => [type, amount?.amount ?? detail])
    expect(history.slice(0, 3)).toEqual([
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

describe('an operator', () => {
  test('refunds a charge of a former subscription without ending the present one', async () => {
    const { tenant, member } = await arrange()
    const ctx = await ctxOf(tenant)
    const chargeId = (await readLedger(tenant)).charges[0]!.id as PaymentId
    await ctx.inTransaction((tx) => endMemberSubscription(tx, member.id, 'REFUNDED'))
    expect(await isOpen(tenant, member)).toBe(false)
    const { items: cards } = await member.client.billing.cards()
    await subscribeWith(api, tenant, member, await createPlan(tenant), cards[0]!.id)
    expect(await isOpen(tenant, member)).toBe(true)
    const refund = { chargeId, total: 900, ends: true, by: 'admin:mina', reason: 'Promised by telephone' } as const
    expect(await refundCharge(ctx, refund)).toBeUndefined()
    expect(await isOpen(tenant, member)).toBe(true)
  })

  test('ends a subscription whose charge was refunded before', async () => {
    const { tenant, member } = await arrange()
    const ctx = await ctxOf(tenant)
    const chargeId = (await readLedger(tenant)).charges[0]!.id as PaymentId
    const refund = { chargeId, total: 900, by: 'admin:mina', reason: 'Could not watch' } as const
    expect(await refundCharge(ctx, { ...refund, ends: false })).toBeUndefined()
    expect(await refundCharge(ctx, { ...refund, ends: true })).toBeUndefined()
    expect(await isOpen(tenant, member)).toBe(false)
    expect((await readLedger(tenant)).provider).toMatchObject([{ refundedAmount: 900 }])
  })
})

describe('a store without plans', () => {
  const change = (tenant: Tenant, set: Partial<typeof customers.$inferInsert>) =>
    api.owner.update(customers).set(set).where(eq(customers.customerId, tenant.id))

  test('charges no renewals: subscriptions end with their paid period', async () => {
    const { tenant, member } = await arrange()
    const settings = { ...tenant.settings, order: { ...tenant.settings.order, useSubscribe: false } }
    await change(tenant, { settings })
    expect(
      await failureOf(keyed(api, tenant, member).subscriptions.changePlan({ planId: tenant.id as never })),
    ).toMatchObject({
      code: 'SUBSCRIBE_DISABLED',
    })
    await passDays(api, tenant, 20)
    expect(await isOpen(tenant, member)).toBe(true)
    await passDays(api, tenant, 12)
    expect(await isOpen(tenant, member)).toBe(false)
    const { charges, subscriptions: rows } = await readLedger(tenant)
    expect(charges).toHaveLength(1)
    expect(rows[0]?.endReason).toBe('CANCELLED')
  })

  test('charges no overdue renewal when its member tries again', async () => {
    const { tenant, member } = await arrange('renewalsDeclined')
    await passDays(api, tenant, 32)
    expect((await readLedger(tenant)).subscriptions[0]?.graceUntil).not.toBeNull()
    const { charges: before } = await readLedger(tenant)
    const settings = { ...tenant.settings, order: { ...tenant.settings.order, useSubscribe: false } }
    await change(tenant, { settings })
    const { token } = await tenant.guest.identity.login({ email: member.email, password })
    const client = api.client(tenant.code, { token, idempotencyKey: 'again' })
    expect(await failureOf(client.subscriptions.retryCharge())).toMatchObject({ code: 'SUBSCRIBE_DISABLED' })
    expect((await readLedger(tenant)).charges).toHaveLength(before.length)
  })
})

test('a subscription continues with the remaining card when its own card is removed', async () => {
  const { tenant, member, cardId } = await arrange()
  const other = await addCard(api, tenant, member)
  await member.client.billing.makeDefault({ id: other.id })
  await member.client.billing.removeCard({ id: cardId })
  await passDays(api, tenant, 32)
  expect((await readLedger(tenant)).charges.map(({ status }) => status)).toEqual(['PAID', 'PAID'])
})
