import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { payments } from '#api/modules/billing/billing.schema.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { runTask } from '#api/worker.ts'
import { customerBase } from '#contract/index.ts'
import { terms } from './buying.ts'
import { type CrashStep, doAndDie } from './crash.ts'
import { plainSettings } from './settings.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from './tenant.ts'
import type { TestApi } from './test-api.ts'

const minutes = 60_000
/** Moments of a scenario that are tried, spread over all it has: a process of its own dies for each. */
const most = 17

/** Someone who has nothing, and something to buy. */
export interface CrashStage {
  tenant: Tenant
  member: TestMember
  product: TestProduct
}

export const asMember = (tenant: Tenant, member: TestMember, path: string, json: unknown) => ({
  do: 'request' as const,
  method: 'POST',
  path: customerBase(tenant.code) + path,
  headers: { authorization: `Bearer ${member.token}`, 'idempotency-key': randomUUID() },
  json,
})

const card = { action: 'pay', number: '4242 4242 4242 4242', expiry: '12 / 40', cvc: '123', name: 'Mina Park' }

export const checkout = (tenant: Tenant, member: TestMember, product: TestProduct): CrashStep[] => [
  {
    ...asMember(tenant, member, '/orders', {
      buyNow: { productId: product.id, optionId: product.optionId },
      ...terms(tenant),
    }),
    keep: { code: 'code' },
  },
  {
    ...asMember(tenant, member, '/orders/{code}/payments', { method: 'CARD', returnUrl: '/payments/result' }),
    keep: { payment: 'payment.id', page: 'redirectUrl' },
  },
  { do: 'request', method: 'POST', path: '{page}', form: card },
  asMember(tenant, member, '/payments/{payment}/confirm', {}),
]

export const deposit = (tenant: Tenant, member: TestMember, product: TestProduct): CrashStep[] => [
  checkout(tenant, member, product)[0]!,
  {
    ...asMember(tenant, member, '/orders/{code}/payments', { method: 'BANK', returnUrl: '/payments/result' }),
    keep: { account: 'payment.account.number' },
  },
  { do: 'request', method: 'POST', path: '/sandbox/bank', form: { account: '{account}', amount: '12.00' } },
  { do: 'chore', customer: tenant.code, chore: 'webhooks' },
]

/** What was taken from the member and kept, and what they have for it. */
export const books = ({ tenant, member }: CrashStage) =>
  tenant.within(async (db) => {
    const mine = await db.select().from(orders).where(eq(orders.memberId, member.id))
    const charges = await db
      .select({ amount: sandboxPayments.amount, back: sandboxPayments.refundedAmount })
      .from(sandboxPayments)
      .innerJoin(payments, sql`${payments.id}::text = ${sandboxPayments.reference}`)
      .innerJoin(orders, eq(orders.id, payments.orderId))
      .where(and(eq(orders.memberId, member.id), isNotNull(sandboxPayments.chargedAt)))
    const rights = await db.select().from(entitlements).where(eq(entitlements.memberId, member.id))
    return {
      taken: charges.length,
      kept: charges.reduce((sum, { amount, back }) => sum + amount - back, 0),
      rights: rights.filter(({ revokedAt, suspended }) => revokedAt === null && !suspended).length,
      statuses: mine.map(({ status }) => status),
    }
  })

/** One store for all of a file's deaths, so that starting again goes over no more than it has to. */
export const openCrashStore = (api: TestApi) => {
  const settings = plainSettings()
  settings.order.methods = ['CARD', 'BANK']
  const store = createTenant(api, { settings })

  const stage = async (): Promise<CrashStage> => {
    const tenant = await store
    return { tenant, member: await tenant.createMember(), product: await tenant.createProduct({ price: 1200 }) }
  }

  /** The program starts again: its background work goes over everything, now and after what waits has grown old. */
  const startAgain = async () => {
    const { code } = await store
    for (let round = 0; round < 3; round++) {
      for (const chore of ['payments', 'webhooks', 'subscriptions'])
        await runTask(api.deps, api.fetch, { customer: code, chore })
      api.clock.advance(40 * minutes)
    }
  }

  /** Runs a scenario once to its end, to learn how many moments it has, then lets it die at them, from the first to the last. */
  const atEveryMoment = async (
    prepare: () => Promise<{ on: CrashStage; steps: CrashStep[] }>,
    check: (on: CrashStage, killAt: number) => Promise<void>,
  ) => {
    const whole = await prepare()
    const { moments } = await doAndDie(api, whole.steps, 0)
    await check(whole.on, 0)
    const tried = Math.min(most, moments)
    for (let number = 1; number <= tried; number++) {
      const killAt = Math.round(1 + ((number - 1) * (moments - 1)) / Math.max(1, tried - 1))
      const { on, steps } = await prepare()
      const { killed } = await doAndDie(api, steps, killAt)
      expect(killed).toBe(true)
      await startAgain()
      await check(on, killAt)
    }
    return moments
  }

  return { stage, atEveryMoment }
}
