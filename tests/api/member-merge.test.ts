import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { mergeSteps } from '#api/modules/privacy/personal-data.queries.ts'
import { erasureSteps } from '#api/modules/privacy/withdrawal.queries.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { MemberId } from '#contract/ids.ts'
import { sweepTenant } from '#tests/support/background-tasks.ts'
import { createBankTenant } from '#tests/support/bank.ts'
import { beginToBuy, buy, keyed, placeOrderOf } from '#tests/support/buying.ts'
import { cards as testCards } from '#tests/support/card-page.ts'
import { mailsTo } from '#tests/support/mails.ts'
import { createFilm } from '#tests/support/media.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { passDays, subscriber } from '#tests/support/subscribing.ts'
import { createTenant, password, type Tenant, type TestMember, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (tenant?: Tenant) => {
  const store = tenant ?? (await createTenant(api))
  const [staying, other, staff] = [await store.createMember(), await store.createMember(), await store.createStaff()]
  return { tenant: store, staying, other, staff }
}

const merge = (staff: TestStaff, staying: Pick<TestMember, 'id'>, other: Pick<TestMember, 'id' | 'email'>) =>
  staff.client.admin.members.merge({ id: staying.id, otherId: other.id, email: other.email, reason: 'Signed up twice' })

describe('merging two members', () => {
  test('the member that stays gets what the other one has, and the other account is closed', async () => {
    const { tenant, staying, other, staff } = await arrange()
    const film = await createFilm(tenant)
    const [liked, both, wanted] = await tenant.createProducts([{}, {}, {}])
    const order = await buy(api, tenant, other, film)
    const own = await buy(api, tenant, staying, both!)
    await staying.client.engagement.like({ id: both!.id, liked: true })
    for (const { id } of [liked!, both!]) await other.client.engagement.like({ id, liked: true })
    await other.client.engagement.addComment({ id: liked!.id, body: 'Words of the second account' })
    await other.client.orders.addToCart({ productId: wanted!.id, optionId: wanted!.optionId! })
    const { playId } = await other.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
    const report = { id: film.id, positionSeconds: 42, playedSeconds: 42, at: api.clock.now().toISOString() }
    await other.client.playback.progress({ ...report, ...(playId && { playId }) })
    await staff.client.admin.members.changeTags({ ids: [other.id], add: ['press'] })
    await staff.client.admin.members.addNote({ id: other.id, text: 'Asks for invoices' })
    const before = await staff.client.analytics.sales({ from: today(), to: today() })

    await merge(staff, staying, other)

    expect(await failureOf(other.client.identity.me())).toMatchObject({ status: 401 })
    expect(await failureOf(tenant.guest.identity.login({ email: other.email, password }))).toMatchObject({
      code: 'LOGIN_FAILED',
    })
    expect(await failureOf(staff.client.admin.members.get({ id: other.id }))).toMatchObject({
      code: 'NOT_FOUND',
      problem: { data: { memberId: staying.id } },
    })
    const member = await staff.client.admin.members.get({ id: staying.id })
    expect(member).toMatchObject({ email: staying.email, orders: 2, tags: ['press'] })
    expect(member.rights.map(({ productCode }) => productCode).sort()).toEqual([both!.code, film.code].sort())
    expect(member.history[0]).toMatchObject({
      action: 'member.merged',
      detail: { merged: other.id, email: other.email, reason: 'Signed up twice' },
    })
    // What staff know of the other account is about the same person.
    expect(member.history.map(({ action }) => action)).toEqual(['member.merged', 'note.added', 'member.tagged'])

    const { items } = await staying.client.orders.orders({})
    expect(items.map(({ code }) => code).sort()).toEqual([own.code, order.code].sort())
    expect(await staying.client.playback.startPlayback({ id: film.id })).toMatchObject({ resumeSeconds: 42 })
    expect((await staying.client.orders.cart()).items.map(({ product }) => product.id)).toEqual([wanted!.id])
    for (const { id } of [liked!, both!])
      expect(await tenant.guest.catalog.product({ id, view: false })).toMatchObject({ countOfLikes: 1 })
    expect(await tenant.guest.catalog.product({ id: liked!.id, view: false })).toMatchObject({ countOfComments: 1 })
    // Both addresses are told, without the other one.
    const [stayed, former] = await Promise.all([mailsTo(tenant, staying.email), mailsTo(tenant, other.email)])
    expect(stayed[0]).toMatchObject({ template: 'accounts-merged' })
    expect(former).toMatchObject([{ template: 'merged-account' }])
    expect(stayed[0]!.text).not.toContain(other.email)
    expect(former[0]!.text).not.toContain(staying.email)
    // No money moves.
    expect(await staff.client.analytics.sales({ from: today(), to: today() })).toEqual(before)
    // The address is free again, and the account that begins there owns nothing.
    const again = await tenant.createMember(other.email)
    expect(await again.client.identity.withdrawal()).toMatchObject({ ownedProducts: 0, retainedOrders: 0 })
  })

  test('an order that is being paid by the other account is ended, and its payment is refunded', async () => {
    const { tenant, staying, other, staff } = await arrange()
    const product = await tenant.createProduct()
    const { page, order } = await beginToBuy(api, tenant, other, product)
    await merge(staff, staying, other)
    await page.pay(testCards.success)
    api.clock.advance(10 * 60_000)
    await sweepTenant(api, tenant)
    await sweepTenant(api, tenant)
    const shown = await staff.client.admin.orders.get({ code: order.code })
    expect(shown).toMatchObject({ status: 'PAYMENT_FAIL', member: { id: staying.id } })
    const { items } = await staff.client.admin.cases.list({})
    expect(items).toEqual([])
    const returned = await tenant.within((db) => db.select().from(cases).where(eq(cases.customerId, tenant.id)))
    expect(returned).toMatchObject([{ type: 'ORDER_CANCEL', status: 'COMPLETE', data: { outcome: 'RETURNED' } }])
    expect((await staff.client.admin.members.get({ id: staying.id })).rights).toEqual([])
  })

  test('a past subscription moves, with the use of its trial', async () => {
    const tenant = await createPlanTenant(api)
    const plan = await createPlan(tenant, { trialDays: 7 })
    const staff = await tenant.createStaff()
    const { member: other } = await subscriber(api, tenant, plan)
    const staying = await tenant.createMember()
    expect(await failureOf(merge(staff, staying, other))).toMatchObject({
      code: 'CONFLICT',
      problem: { errors: { otherId: [expect.stringContaining('subscription')] } },
    })
    await keyed(api, tenant, other).subscriptions.cancelSubscription({})
    await passDays(api, tenant, 40)
    const later = await tenant.createStaff()
    await merge(later, staying, other)
    const { items } = await later.client.admin.subscriptions.list({})
    expect(items.map(({ member }) => member?.id)).toEqual([staying.id])
  })

  test('the longer of two partnerships stays, with its name', async () => {
    const { staying, other, staff } = await arrange()
    const { members } = staff.client.admin
    const grant = (id: MemberId, until: string, name: string) =>
      members.setPartnership({ id, until, name, reason: 'Contract' })
    await grant(staying.id, '2998-01-31', 'Harbour Ltd')
    await grant(other.id, '2999-01-31', 'River Ltd')
    await merge(staff, staying, other)
    const { partnershipUntil, partnershipName, history } = await members.get({ id: staying.id })
    expect(partnershipName).toBe('River Ltd')
    expect(partnershipUntil).toMatch(/^2999-/)
    expect(history[0]).toMatchObject({
      action: 'member.merged',
      changes: { name: { from: 'Harbour Ltd', to: 'River Ltd' }, until: { from: expect.stringMatching(/^2998-/) } },
    })

    const third = await arrange()
    await third.staff.client.admin.members.setPartnership({
      id: third.staying.id,
      until: '2998-01-31',
      name: null,
      reason: 'Contract',
    })
    await merge(third.staff, third.staying, third.other)
    const unchanged = await third.staff.client.admin.members.get({ id: third.staying.id })
    expect(unchanged.partnershipUntil).toMatch(/^2998-/)
    expect(unchanged.history[0]).toMatchObject({ action: 'member.merged', changes: {} })
  })

  test('a deposit that is awaited keeps the accounts apart, and the order is named', async () => {
    const { tenant, staying, other, staff } = await arrange(await createBankTenant(api))
    const order = await placeOrderOf(api, tenant, other, await tenant.createProduct())
    await keyed(api, tenant, other).billing.startPayment({
      code: order.code,
      method: 'BANK',
      returnUrl: '/payments/result',
    })
    expect(await failureOf(merge(staff, staying, other))).toMatchObject({
      code: 'CONFLICT',
      problem: { errors: { otherId: [expect.stringContaining(order.code)] } },
    })
    expect((await staff.client.admin.members.get({ id: other.id })).email).toBe(other.email)
  })

  test('another address, the same member, and a member of another store are refused', async () => {
    const { staying, other, staff } = await arrange()
    const foreign = await arrange()
    expect(await failureOf(merge(staff, staying, { ...other, email: staying.email }))).toMatchObject({
      problem: { errors: { email: [expect.any(String)] } },
    })
    expect(await failureOf(merge(staff, staying, staying))).toMatchObject({
      problem: { errors: { otherId: [expect.any(String)] } },
    })
    for (const [one, two] of [
      [staying, foreign.other],
      [foreign.staying, other],
      [staying, { id: newId<MemberId>(), email: other.email }],
    ] as const)
      expect(await failureOf(merge(staff, one, two))).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of two merges at once, in either direction, one is done', async () => {
    const { staying, other, staff } = await arrange()
    const both = await Promise.allSettled([merge(staff, staying, other), merge(staff, other, staying)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const next = await arrange()
    const twice = await Promise.allSettled([1, 2].map(() => merge(next.staff, next.staying, next.other)))
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('decides about every table that refers to members', async () => {
    const { rows } = await api.owner.execute<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name IN ('member_id', 'viewer')`,
    )
    // Evidence of what the account did that is closed.
    const decided = new Set([
      ...['consents', 'fulfillments', 'subscription_events'],
      ...mergeSteps.map(({ table }) => table),
      ...erasureSteps.map(({ table }) => table),
    ])
    expect(rows.map(({ name }) => name).filter((name) => !decided.has(name))).toEqual([])
  })
})

const today = () => api.clock.now().toISOString().slice(0, 10)
