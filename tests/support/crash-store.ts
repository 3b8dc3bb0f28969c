import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { payments } from '#api/modules/billing/billing.schema.ts'
import { sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { runTask } from '#api/worker.ts'
import { customerBase } from '#contract/http.ts'
import { terms } from './buying.ts'
import { atEachKillPoint, type CrashStep } from './crash.ts'
import { plainSettings } from './settings.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from './tenant.ts'
import type { TestApi } from './test-api.ts'

const minutes = 60_000

/** A member without purchases, and a product to buy. */
export interface CrashScenario {
  tenant: Tenant
  member: TestMember
  product: TestProduct
}

export const memberRequest = (tenant: Tenant, member: TestMember, path: string, json: unknown) => ({
  do: 'request' as const,
  method: 'POST',
  path: customerBase(tenant.code) + path,
  headers: { authorization: `Bearer ${member.token}`, 'idempotency-key': randomUUID() },
  json,
})

const card = { action: 'pay', number: '4242 4242 4242 4242', expiry: '12 / 40', cvc: '123', name: 'Mina Park' }

export const checkout = (tenant: Tenant, member: TestMember, product: TestProduct): CrashStep[] => [
  {
    ...memberRequest(tenant, member, '/orders', {
      buyNow: { productId: product.id, optionId: product.optionId },
      ...terms(tenant),
    }),
    save: { code: 'code' },
  },
  {
    ...memberRequest(tenant, member, '/orders/{code}/payments', { method: 'CARD', returnUrl: '/payments/result' }),
    save: { payment: 'payment.id', page: 'redirectUrl' },
  },
  { do: 'request', method: 'POST', path: '{page}', form: card },
  memberRequest(tenant, member, '/payments/{payment}/confirm', {}),
]

export const deposit = (tenant: Tenant, member: TestMember, product: TestProduct): CrashStep[] => [
  checkout(tenant, member, product)[0]!,
  {
    ...memberRequest(tenant, member, '/orders/{code}/payments', { method: 'BANK', returnUrl: '/payments/result' }),
    save: { account: 'payment.account.number' },
  },
  { do: 'request', method: 'POST', path: '/sandbox/bank', form: { account: '{account}', amount: '12.00' } },
  { do: 'task', customer: tenant.code, task: 'webhooks' },
]

/** The member's charges, the amount of them that was not refunded, and their entitlements. */
export const readLedger = ({ tenant, member }: CrashScenario) =>
  tenant.within(async (db) => {
    const ownOrders = and(eq(orders.customerId, tenant.id), eq(orders.memberId, member.id))
    const memberOrders = await db.select().from(orders).where(ownOrders)
    const charges = await db
      .select({ amount: sandboxPayments.amount, refunded: sandboxPayments.refundedAmount })
      .from(sandboxPayments)
      .innerJoin(
        payments,
        and(eq(payments.customerId, tenant.id), sql`${payments.id}::text = ${sandboxPayments.reference}`),
      )
      .innerJoin(orders, and(ownOrders, eq(orders.id, payments.orderId)))
      .where(and(eq(sandboxPayments.customerId, tenant.id), isNotNull(sandboxPayments.chargedAt)))
    const owned = await db
      .select()
      .from(entitlements)
      .where(and(eq(entitlements.customerId, tenant.id), eq(entitlements.memberId, member.id)))
    return {
      charges: charges.length,
      amount: charges.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0),
      entitlements: owned.filter(({ revokedAt, suspended }) => revokedAt === null && !suspended).length,
      statuses: memberOrders.map(({ status }) => status),
    }
  })

/** Opens stores for crashes: each scenario has one of its own. */
export const crashStores = (api: TestApi) => {
  const settings = plainSettings()
  settings.order.methods = ['CARD', 'BANK']

  const arrange = async (): Promise<CrashScenario> => {
    const tenant = await createTenant(api, { settings })
    return { tenant, member: await tenant.createMember(), product: await tenant.createProduct({ price: 1200 }) }
  }

  /** Runs the background tasks as after a restart: now, and again 40 and 80 minutes later. */
  const restart = async (scenarios: readonly CrashScenario[]) => {
    for (let round = 0; round < 3; round++) {
      for (const { tenant } of scenarios)
        for (const task of ['payments', 'webhooks', 'subscriptions'])
          await runTask(api.deps, api.fetch, { customer: tenant.code, task })
      api.clock.advance(40 * minutes)
    }
  }

  const checkEachKillPoint = (
    prepare: () => Promise<{ scenario: CrashScenario; steps: CrashStep[] }>,
    check: (scenario: CrashScenario, killAt: number) => Promise<void>,
  ) => atEachKillPoint(api, { prepare, restart, check, maxKillPoints: 17 })

  return { arrange, checkEachKillPoint }
}
