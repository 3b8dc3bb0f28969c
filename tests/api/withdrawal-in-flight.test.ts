import { and, eq } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { sandboxCards, sandboxPayments } from '#api/modules/billing/providers/sandbox/sandbox.schema.ts'
import { comments, likes } from '#api/modules/engagement/engagement.schema.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { cards } from '#api/modules/plans/cards.schema.ts'
import { subscriptions } from '#api/modules/plans/plans.schema.ts'
import { withdraw } from '#api/modules/privacy/withdrawal.ts'
import { inquiries } from '#api/modules/support/support.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { SessionId } from '#contract/ids.ts'
import { buy, keyed, terms } from '#tests/support/buying.ts'
import { addCard, beginCard, openRegistrationPage, storedTestCards } from '#tests/support/card-registration.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { subscribeWith, sweep } from '#tests/support/subscribing.ts'
import { password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createPlanTenant(api)
  return { tenant, member: await tenant.createMember() }
}

/** The transactions that wait for others, on one server and on a cluster. */
const [ownTransaction, waits] = inject('cluster')
  ? ['citus_backend_gpid()', 'SELECT waiting_gpid AS waiting, blocking_gpid AS blocking FROM citus_lock_waits']
  : ['pg_backend_pid()', 'SELECT pid, unnest(pg_blocking_pids(pid)) FROM pg_stat_activity']

/**
 * Resolves once this many transactions wait for locks of this one, directly or indirectly.
 */
const waiters = async (db: TenantDb, wanted: number) => {
  const { rows } = await db.$client.query<{ id: string }>(`SELECT ${ownTransaction} AS id`)
  await expect
    .poll(async () => {
      const { rows: held } = await api.owner.execute<{ n: number }>(
        `WITH RECURSIVE waits (waiting, blocking) AS (${waits}), held AS (SELECT ${rows[0]!.id}::bigint AS id
           UNION SELECT waits.waiting FROM waits JOIN held ON held.id = waits.blocking)
         SELECT count(*)::int - 1 AS n FROM held`,
      )
      return held[0]!.n
    })
    .toBe(wanted)
}

/** Runs requests while a member's withdrawal is in progress and not committed. */
const duringWithdrawal = async <Outcome>(
  tenant: Tenant,
  { id: memberId }: TestMember,
  meanwhile: (db: TenantDb) => Promise<Outcome>,
) => {
  const customer = (await resolveCustomer(api.deps, tenant.code))!
  return tenant.within(async (db) => {
    const actor = { kind: 'USER', memberId, sessionId: 'none' as SessionId, guestId: null, viewing: false } as const
    const { passwordHash } = (await findMember(db, tenant.id, memberId))!
    const ctx = {
      customer,
      locale: customer.settings.base.locale,
      actor,
      db,
      clock: api.clock,
      log: api.deps.log,
      requestId: 'a-test',
      events: api.deps.events,
    }
    expect(await withdraw(ctx, { passwordHash, reason: null })).toBeUndefined()
    return meanwhile(db)
  })
}

const providerCards = async (tenant: Tenant) =>
  (await tenant.within((db) => db.select().from(sandboxCards))).map(({ status }) => status)

test('requests in progress during a withdrawal end with the account: nothing is written, registered or charged', async () => {
  const { tenant, member } = await arrange()
  const [product, plan] = [await tenant.createProduct(), await createPlan(tenant)]
  const card = await addCard(api, tenant, member)
  await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  const beginnings = [
    () => member.client.engagement.addComment({ id: product.id, body: 'My last words' }),
    () => member.client.engagement.like({ id: product.id, liked: true }),
    () => member.client.support.createInquiry({ type: 'ETC', title: 'A late question', body: 'Of mine', files: [] }),
    () => keyed(api, tenant, member).orders.placeOrder(terms(tenant)),
    () => beginCard(api, tenant, member),
    () => subscribeWith(api, tenant, member, plan, card.id),
  ]
  const outcomes = await duringWithdrawal(tenant, member, async (db) => {
    const begun = beginnings.map((begin) => failureOf(begin()))
    await waiters(db, beginnings.length)
    return { begun }
  })
  for (const outcome of outcomes.begun) expect([401, 404]).toContain((await outcome).status)
  const remaining = await tenant.within(async (db) => ({
    comments: await db.select().from(comments).where(eq(comments.customerId, tenant.id)),
    likes: await db.select().from(likes).where(eq(likes.customerId, tenant.id)),
    inquiries: await db.select().from(inquiries).where(eq(inquiries.customerId, tenant.id)),
    orders: await db.select().from(orders).where(eq(orders.customerId, tenant.id)),
    subscriptions: await db.select().from(subscriptions).where(eq(subscriptions.customerId, tenant.id)),
    payments: await db.select().from(sandboxPayments).where(eq(sandboxPayments.customerId, tenant.id)),
  }))
  expect(remaining).toEqual({ comments: [], likes: [], inquiries: [], orders: [], subscriptions: [], payments: [] })
  await sweep(api, tenant)
  expect(await providerCards(tenant)).toEqual(['REMOVED'])
})

test('a card registered after its owner’s withdrawal is removed at the provider', async () => {
  const { tenant, member } = await arrange()
  const plan = await createPlan(tenant)
  const { page } = await beginCard(api, tenant, member)
  const { redirectUrl } = await keyed(api, tenant, member).subscriptions.subscribe({
    id: plan.id,
    returnUrl: '/plans/payment-result',
    expectedPrice: plan.price,
    agreeRecurring: true,
  })
  await member.client.identity.withdraw({ password })
  await page.save(storedTestCards.success)
  await openRegistrationPage(api, redirectUrl).save(storedTestCards.success)
  expect(await providerCards(tenant)).toEqual(['REGISTERED', 'REGISTERED'])
  api.clock.advance(2 * 3_600_000)
  await sweep(api, tenant)
  expect(await providerCards(tenant)).toEqual(['REMOVED', 'REMOVED'])
  const ours = await tenant.within((db) =>
    db
      .select()
      .from(cards)
      .where(and(eq(cards.customerId, tenant.id), eq(cards.memberId, member.id))),
  )
  for (const card of ours)
    expect(card).toMatchObject({ status: 'REMOVED', token: null, issuer: null, lastFour: null, expiryMonth: null })
  expect(await tenant.within((db) => db.select().from(sandboxPayments))).toEqual([])
})

test('a card registration that expired here and was completed there is removed at the provider', async () => {
  const { tenant, member } = await arrange()
  const { page } = await beginCard(api, tenant, member)
  api.clock.advance(31 * 60_000)
  await sweep(api, tenant)
  await page.save(storedTestCards.success)
  api.clock.advance(3_600_000)
  await sweep(api, tenant)
  expect(await providerCards(tenant)).toEqual(['REMOVED'])
  expect((await member.client.billing.cards()).items).toEqual([])
})

test('a member’s words about an order or a subscription are erased with the account; records of money stay', async () => {
  const { tenant, member } = await arrange()
  const order = await buy(api, tenant, member, await tenant.createProduct())
  const reason = 'My daughter Ana chose it'
  await keyed(api, tenant, member).billing.requestCancel({ code: order.code, reason: reason })
  const plan = await createPlan(tenant)
  const { id } = await addCard(api, tenant, member)
  await subscribeWith(api, tenant, member, plan, id)
  await member.client.subscriptions.cancelSubscription({ reason: reason })
  const holding = () =>
    tenant.within(async (db) => {
      const { rows } = await db.$client.query<{ name: string }>(
        `SELECT 'requests' AS name FROM cancel_requests WHERE reason = $1 UNION ALL SELECT 'orders' FROM orders WHERE refund_reason = $1
         UNION ALL SELECT 'events' FROM order_events WHERE detail = $1 UNION ALL SELECT 'plans' FROM subscriptions WHERE cancel_reason = $1
         UNION ALL SELECT 'history' FROM subscription_events WHERE detail = $1
         UNION ALL SELECT 'cases' FROM cases WHERE position($1 IN data::text) > 0`,
        [reason],
      )
      return rows.map(({ name }) => name).sort()
    })
  expect(await holding()).toEqual(expect.arrayContaining(['events', 'orders', 'plans', 'requests']))
  await member.client.identity.withdraw({ password })
  expect(await holding()).toEqual([])
  const [stored] = await tenant.within((db) => db.select().from(orders).where(eq(orders.code, order.code)))
  expect(stored).toMatchObject({ status: 'CANCEL_COMPLETE', totalAmount: 1200 })
})
