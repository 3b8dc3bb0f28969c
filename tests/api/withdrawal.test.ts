import { randomUUID } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { consents, members } from '#api/modules/identity/identity.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { cards } from '#api/modules/plans/cards.schema.ts'
import { subscriptions } from '#api/modules/plans/plans.schema.ts'
import { erasureSteps, retainedTables } from '#api/modules/privacy/withdrawal.queries.ts'
import { closeCase } from '#api/modules/support/cases.ts'
import { inquiryFiles } from '#api/modules/support/support.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import { audit } from '#api/platform/db/platform.schema.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import type { CardId, OrderCode, PlanId, SubscriptionId } from '#contract/ids.ts'
import { cleanUp, sweepTenant } from '#tests/support/background-tasks.ts'
import { beginToDeposit, createBankTenant, myAccount } from '#tests/support/bank.ts'
import { beginToBuy, buy, keyed } from '#tests/support/buying.ts'
import { cards as testCards } from '#tests/support/card-page.ts'
import { mailsTo, mailTo } from '#tests/support/mails.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { deliverDue } from '#tests/support/reconciling.ts'
import { createTenant, password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const row = async (tenant: Pick<Tenant, 'id' | 'within'>, { id }: Pick<TestMember, 'id'>) => {
  const [row] = await tenant.within((db) =>
    db
      .select()
      .from(members)
      .where(and(eq(members.customerId, tenant.id), eq(members.id, id))),
  )
  return row
}

/** The tables of which any row of the tenant contains the text. */
const tablesWith = async (tenant: Pick<Tenant, 'id' | 'within'>, text: string) => {
  const { rows: tables } = await api.owner.execute<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'customer_id'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const hit = await tenant.within(async (db) => {
      const { rows } = await db.$client.query<{ hits: number }>(
        `SELECT count(*) AS hits FROM ${name} t WHERE customer_id = $1 AND position($2 IN to_jsonb(t)::text) > 0`,
        [tenant.id, text],
      )
      return (rows[0]?.hits ?? 0) > 0
    })
    if (hit) found.push(name)
  }
  return found
}

const casesOf = (tenant: Pick<Tenant, 'id' | 'within'>) =>
  tenant.within((db) => db.select().from(cases).where(eq(cases.customerId, tenant.id)))

describe('a withdrawal', () => {
  test('erases the member, keeps paid orders without a name, and releases the e-mail', async () => {
    const tenant = await createTenant(api)
    const [bought, liked] = [await tenant.createProduct(), await tenant.createProduct()]
    const email = `leaver-${randomUUID().slice(0, 8)}@example.com`
    const member = await tenant.createMember(email)
    const { client } = member
    const name = `Sagwa ${randomUUID().slice(0, 6)}`
    await client.identity.changeProfile({
      name,
      phone: '(213) 373-4253',
      marketing: true,
      address: { postcode: '04524', road: 'Sejong-daero 110', detail: '' },
    })
    await buy(api, tenant, member, bought)
    await client.engagement.like({ id: liked.id, liked: true })
    await client.engagement.addComment({ id: liked.id, body: 'Words of the leaver' })
    await client.catalog.product({ id: liked.id })
    await client.orders.addToCart({ productId: liked.id, optionId: liked.optionId! })
    await tenant.guest.identity.requestReset({ email })

    expect(await client.identity.withdrawal()).toEqual({
      blockedBy: [],
      ownedProducts: 1,
      comments: 1,
      subscription: null,
      retainedOrders: 1,
    })
    await client.identity.withdraw({ password, reason: 'I watch too much' })

    expect(await failureOf(client.identity.me())).toMatchObject({ status: 401 })
    expect(await failureOf(tenant.guest.identity.login({ email, password }))).toMatchObject({ code: 'LOGIN_FAILED' })
    expect(await row(tenant, member)).toMatchObject({
      email: '',
      name: '',
      phone: null,
      address: null,
      marketing: false,
    })
    // Only the last mail still contains personal data.
    for (const text of [email, name]) expect(await tablesWith(tenant, text)).toEqual(['mails'])
    for (const text of ['Words of the leaver', '+12133734253', 'Sejong-daero 110'])
      expect(await tablesWith(tenant, text)).toEqual([])
    expect((await mailsTo(tenant, email)).map(({ template }) => template)).toEqual(['goodbye'])
    expect((await mailTo(tenant, email)).text).toContain('one order')

    const stored = await tenant.within((db) => db.select().from(orders).where(eq(orders.memberId, member.id)))
    expect(stored.map(({ status }) => status)).toEqual(['PAYMENT_COMPLETE'])
    const evidence = await tenant.within((db) =>
      db.select().from(consents).where(eq(consents.memberId, member.id)).orderBy(asc(consents.at)),
    )
    expect(evidence.map(({ type, granted }) => [type, granted])).toEqual([
      ['MARKETING', true],
      ['MARKETING', false],
    ])
    const [act] = await tenant.within((db) => db.select().from(audit).where(eq(audit.customerId, tenant.id)))
    expect(act).toMatchObject({ action: 'member.withdrew', detail: { retainedOrders: 1, reason: 'I watch too much' } })
    const product = await tenant.guest.catalog.product({ id: liked.id, view: false })
    expect(product).toMatchObject({ countOfLikes: 0, countOfComments: 0 })

    const again = await tenant.createMember(email)
    expect(again.id).not.toBe(member.id)
    expect(await again.client.identity.withdrawal()).toMatchObject({ ownedProducts: 0, retainedOrders: 0 })
  })

  test('erases what staff entered of transfers, which still count once', async () => {
    const tenant = await createBankTenant(api)
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    const product = await tenant.createProduct({ price: 2900 })
    const { token, client } = await tenant.createStaff()
    const day = api.clock.now().toISOString().slice(0, 10)
    const write = async (code?: OrderCode) => {
      const version = code && (await client.admin.orders.get({ code })).version
      const headers = version ? { 'if-match': `"${version}"` } : {}
      return api.client(tenant.code, { token, idempotencyKey: randomUUID(), headers }).admin
    }
    const [first, second] = [
      await beginToDeposit(api, tenant, member, product),
      await beginToDeposit(api, tenant, other, product),
    ]
    const code = first.order.code
    // The database and Node hash it alike.
    const reference = 'SAGWA \\101 사과 in'
    const deposit = { code, amount: 3000, reference, day, reason: 'Too much' }
    await (await write(code)).deposits.receive(deposit)
    const [unapplied] = (await client.admin.deposits.toReturn({})).unapplied
    await (await write()).deposits.recordReturn({ id: unapplied!.id, reference: 'SAGWA PARK surplus', day })
    await (await write(code)).orders.refund({ code, reason: 'Asked' })
    await keyed(api, tenant, member).billing.setRefundAccount({ code, refundAccount: myAccount })
    await (await write()).deposits.recordRefund({ code, reference: 'SAGWA PARK out', day })
    const { timeline } = await client.admin.orders.get({ code })
    expect(timeline.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([reference, 'SAGWA PARK surplus', 'SAGWA PARK out']),
    )
    expect(await tablesWith(tenant, 'SAGWA')).toEqual(expect.arrayContaining(['payments', 'order_events']))
    // Also of a deposit that the provider reported, whose refund staff have transferred.
    const third = await beginToDeposit(api, tenant, member, await tenant.createProduct({ price: 1900 }))
    await third.bank.deposit(1900)
    await deliverDue(api, tenant)
    await (await write(third.order.code)).orders.refund({ code: third.order.code, reason: 'Asked' })
    await (await write()).deposits.recordRefund({ code: third.order.code, reference: 'SAGWA PARK by hand', day })

    await member.client.identity.withdraw({ password })
    expect(await tablesWith(tenant, 'SAGWA')).toEqual([])
    const { payments } = await client.admin.orders.get({ code })
    expect(payments.find(({ provider }) => provider === 'manual')?.providerRef).toMatch(
      new RegExp(`^${day} #[0-9a-f]{16}$`),
    )
    const again = { ...deposit, code: second.order.code, amount: 2900 }
    const refused = await failureOf((await write(second.order.code)).deposits.receive(again))
    expect(refused.problem.errors?.reference?.[0]).toContain(code)
  })

  test('requires the password, and limits wrong ones', async () => {
    const tenant = await createTenant(api)
    const { client } = await tenant.createMember()
    const { status, problem } = await failureOf(client.identity.withdraw({ password: 'not it at all' }))
    expect([status, Object.keys(problem.errors)]).toEqual([422, ['password']])
    for (let round = 0; round < 9; round++) await failureOf(client.identity.withdraw({ password: 'not it at all' }))
    expect(await failureOf(client.identity.withdraw({ password }))).toMatchObject({ status: 429 })
    expect((await client.identity.me()).name).toBe('Mina Park')
  })

  test.each(['DEPOSIT_WAITING', 'CANCEL_REQUEST'] as const)(
    'is refused while an order is in %s, and names it',
    async (status) => {
      const tenant = await createTenant(api)
      const member = await tenant.createMember()
      const order = await buy(api, tenant, member, await tenant.createProduct())
      await tenant.within((db) => db.update(orders).set({ status }).where(eq(orders.code, order.code)))
      const blockedBy = [{ code: order.code, status }]
      expect(await member.client.identity.withdrawal()).toMatchObject({ blockedBy })
      const refused = await failureOf(member.client.identity.withdraw({ password }))
      expect(refused).toMatchObject({ status: 409, code: 'WITHDRAWAL_BLOCKED', problem: { data: { blockedBy } } })
      expect((await member.client.identity.me()).name).toBe('Mina Park')
    },
  )

  test('that a refund blocks says what helps: withdraw the request, give an account, or wait', async () => {
    const tenant = await createBankTenant(api)
    const member = await tenant.createMember()
    const { order, bank } = await beginToDeposit(api, tenant, member, await tenant.createProduct({ price: 2900 }))
    const blockedBy = async () => (await member.client.identity.withdrawal()).blockedBy
    expect(await blockedBy()).toEqual([
      { code: order.code, status: 'DEPOSIT_WAITING', refundStep: null, needsRefundAccount: false },
    ])
    await bank.deposit(2900)
    await deliverDue(api, tenant)
    await keyed(api, tenant, member).billing.requestCancel({
      code: order.code,
      reason: 'Asked',
      refundAccount: myAccount,
    })
    const request = { code: order.code, status: 'CANCEL_REQUEST', needsRefundAccount: false }
    expect(await blockedBy()).toEqual([{ ...request, refundStep: 'PENDING' }])
    const { refund } = api.deps.sandbox.provider
    const refuse = (reason: string) => {
      api.deps.sandbox.provider.refund = async () => ({ code: 'REFUSED', reason })
    }
    try {
      refuse('ACCOUNT_REFUSED')
      await (await tenant.createStaff()).client.admin.orders.acceptCancel({ code: order.code })
      expect(await blockedBy()).toEqual([{ ...request, refundStep: 'ACCEPT', needsRefundAccount: true }])
      refuse('CLOSED_TODAY')
      await keyed(api, tenant, member).billing.setRefundAccount({ code: order.code, refundAccount: myAccount })
      expect(await blockedBy()).toEqual([{ ...request, refundStep: 'ACCEPT' }])
    } finally {
      api.deps.sandbox.provider.refund = refund
    }
  })

  test('ends the subscription and removes the cards', async () => {
    const tenant = await createPlanTenant(api)
    const plan = await createPlan(tenant)
    const member = await tenant.createMember()
    const [cardId, subscriptionId] = [newId<CardId>(), newId<SubscriptionId>()]
    const periodEnd = new Date(api.clock.now().getTime() + 20 * dayMilliseconds).toISOString()
    const begun = api.clock.now().toISOString()
    await tenant.within(async (db) => {
      await db.insert(cards).values({
        customerId: tenant.id,
        id: cardId,
        memberId: member.id,
        provider: 'sandbox',
        token: 'sealed',
        status: 'ACTIVE' as const,
        issuer: 'VISA',
        lastFour: '4242',
        expiryMonth: 12,
        expiryYear: 2040,
        isDefault: true,
      })
      await db.insert(subscriptions).values({
        customerId: tenant.id,
        id: subscriptionId,
        memberId: member.id,
        planId: plan.id as PlanId,
        status: 'PROCEEDING' as const,
        priceAmount: 900,
        currency: 'USD',
        cycle: 'MONTH' as const,
        cardId,
        activatedAt: begun,
        periodStart: begun,
        periodEnd,
      })
    })
    expect((await member.client.identity.withdrawal()).subscription).toEqual({ name: 'All access', until: periodEnd })
    await member.client.identity.withdraw({ password })
    const [ended] = await tenant.within((db) =>
      db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)),
    )
    expect(ended).toMatchObject({ endReason: 'WITHDRAWN' })
    const [card] = await tenant.within((db) => db.select().from(cards).where(eq(cards.id, cardId)))
    // The token stays until the provider has removed the card.
    expect(card).toMatchObject({ status: 'REMOVED', isDefault: false, issuer: null, lastFour: null, token: 'sealed' })
  })

  test('ends open payments: money that still arrives is refunded', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const { order, page } = await beginToBuy(api, tenant, member, await tenant.createProduct())
    await member.client.identity.withdraw({ password })
    await page.pay(testCards.success)
    api.clock.advance(10 * 60_000)
    await sweepTenant(api, tenant)
    await sweepTenant(api, tenant)
    const [row] = await tenant.within((db) => db.select().from(orders).where(eq(orders.code, order.code)))
    expect(row?.status).toBe('PAYMENT_FAIL')
    expect(await casesOf(tenant)).toMatchObject([
      { type: 'ORDER_CANCEL', status: 'COMPLETE', data: { outcome: 'RETURNED' } },
    ])
  })

  test('opens a case for a refund that lacks an account, and only for that', async () => {
    const tenant = await createTenant(api)
    const [other, member] = [await tenant.createMember(), await tenant.createMember()]
    await other.client.identity.withdraw({ password })
    expect(await casesOf(tenant)).toEqual([])
    const order = await buy(api, tenant, member, await tenant.createProduct())
    await tenant.within(async (db) => {
      const [{ id: orderId } = { id: null }] = await db.select().from(orders).where(eq(orders.code, order.code))
      await db.insert(cases).values({
        customerId: tenant.id,
        id: newId(),
        type: 'ORDER_CANCEL',
        memberId: member.id,
        orderId,
        subject: 'Refund an unapplied payment',
        data: { kind: 'UNAPPLIED_PAYMENT', orderId, amount: 500, currency: 'USD', needsAccount: true },
      })
    })
    await member.client.identity.withdraw({ password })
    const [opened] = (await casesOf(tenant)).filter(({ type }) => type === 'WITHDRAWAL')
    expect(opened).toMatchObject({ status: 'WAIT', data: { orders: [order.code], contact: member.email } })

    const customer = await resolveCustomer(api.deps, tenant.code)
    await unattendedPaymentCtx(api.deps, customer!, 'test').inTransaction((ctx) =>
      closeCase(ctx, 'admin:ana', { id: opened!.id, note: 'Asked and returned' }),
    )
    expect(await tablesWith(tenant, member.email)).toEqual(['mails'])
  })

  test('keeps the place of a comment with replies, without its text and author', async () => {
    const tenant = await createTenant(api)
    const product = await tenant.createProduct()
    const [leaver, other] = [await tenant.createMember(), await tenant.createMember()]
    const comment = await leaver.client.engagement.addComment({ id: product.id, body: 'Said and gone' })
    await other.client.engagement.addComment({ id: product.id, body: 'I reply', parentId: comment.id })
    await leaver.client.identity.withdraw({ password })
    const { items } = await tenant.guest.engagement.comments({ id: product.id })
    expect(items).toMatchObject([
      { id: comment.id, body: null, state: 'DELETED', author: { name: '' }, countOfReplies: 1 },
    ])
  })

  test('erases inquiries and their files', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const file = new File(['A line'], 'my-own-log.txt', { type: 'text/plain' })
    const { id } = await member.client.support.sendFile({ file })
    await member.client.support.createInquiry({
      type: 'ETC',
      title: 'A question of mine',
      body: 'And its words',
      files: [id],
    })
    const [stored] = await tenant.within((db) => db.select().from(inquiryFiles).where(eq(inquiryFiles.id, id)))
    const key = stored!.asset as MediaKey
    expect(await api.deps.storage.open(key)).not.toBeNull()
    await member.client.identity.withdraw({ password })
    for (const text of ['A question of mine', 'And its words', 'my-own-log.txt'])
      expect(await tablesWith(tenant, text)).toEqual([])
    await cleanUp(api, tenant)
    expect(await api.deps.storage.open(key)).toBeNull()
    expect(await tablesWith(tenant, member.id)).not.toContain('inquiry_files')
    const waiting = await tenant.within((db) =>
      db
        .select()
        .from(cases)
        .where(and(eq(cases.customerId, tenant.id), eq(cases.status, 'WAIT'))),
    )
    expect(waiting).toEqual([])
  })

  test('requested twice at once is done once', async () => {
    const tenant = await createTenant(api)
    const { client, email } = await tenant.createMember()
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => client.identity.withdraw({ password })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await mailsTo(tenant, email)).toHaveLength(1)
  })

  test('covers every table that refers to members', async () => {
    const { rows } = await api.owner.execute<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name IN ('member_id', 'viewer')`,
    )
    const decided = new Set([...erasureSteps.map(({ table }) => table), ...retainedTables])
    expect(rows.map(({ name }) => name).filter((name) => !decided.has(name))).toEqual([])
  })
})
