import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { plans } from '#api/modules/plans/plans.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { MemberId } from '#contract/ids.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const titles = (answer: { items: { title: string }[] }) => answer.items.map(({ title }) => title).sort()

/** A tenant with products in and out of every scope. */
const arrange = async () => {
  const tenant = await createPlanTenant(api)
  const films = await tenant.createCategory('Films')
  const courses = await tenant.createCategory('Courses')
  await tenant.createProduct({ title: 'Film on plans', access: 'PLAN', categoryIds: [films.id] })
  await tenant.createProduct({ title: 'Course for both', access: 'PURCHASE_OR_PLAN', categoryIds: [courses.id] })
  await tenant.createProduct({ title: 'Film for sale alone', access: 'PURCHASE', categoryIds: [films.id] })
  await tenant.createProduct({ title: 'Film for all', access: 'FREE', categoryIds: [films.id] })
  await tenant.createProduct({ title: 'Film not out', access: 'PLAN', status: 'DRAFT', categoryIds: [films.id] })
  const listed = await tenant.createProduct({ title: 'Listed', access: 'PLAN' })
  return { tenant, films, listed }
}

const grantPartnership = (tenant: Tenant, memberId: MemberId, until: Date) =>
  tenant.within((db) =>
    db
      .update(members)
      .set({ partnershipUntil: until.toISOString() })
      .where(and(eq(members.customerId, tenant.id), eq(members.id, memberId))),
  )

describe('plans of a store', () => {
  test('plans are listed in order with their products; plans off sale are read only by id', async () => {
    const { tenant, films, listed } = await arrange()
    const all = await createPlan(tenant, { name: 'All', price: 900, sort: 2, trialDays: 7 })
    const some = await createPlan(tenant, { name: 'Films', price: 400, sort: 1, categoryIds: [films.id] })
    const few = await createPlan(tenant, { name: 'Few', price: 100, sort: 3, productIds: [listed.id] })
    const gone = await createPlan(tenant, { name: 'Gone', onSale: false })

    const { items } = await tenant.guest.subscriptions.plans()
    expect(
      items.map(({ id, name, scope, productCount, relation }) => [id, name, scope, productCount, relation]),
    ).toEqual([
      [some.id, 'Films', 'CATEGORIES', 1, 'NONE'],
      [all.id, 'All', 'ALL', 3, 'NONE'],
      [few.id, 'Few', 'PRODUCTS', 1, 'NONE'],
    ])
    expect(items[0]?.categories).toEqual([{ id: films.id, name: 'Films' }])
    expect(items.map(({ trialAvailable }) => trialAvailable)).toEqual([false, true, false])
    expect(await tenant.guest.subscriptions.plan({ id: gone.id })).toMatchObject({ onSale: false, price: gone.price })

    const covered = async (id: typeof all.id) => titles(await tenant.guest.subscriptions.planProducts({ id }))
    expect(await covered(all.id)).toEqual(['Course for both', 'Film on plans', 'Listed'])
    expect(await covered(some.id)).toEqual(['Film on plans'])
    expect(await covered(few.id)).toEqual(['Listed'])
    expect(await tenant.guest.subscriptions.planProducts({ id: all.id, page: 2, size: 2 })).toMatchObject({
      total: 3,
      page: 2,
    })
  })

  test('a plan shows the first charge date of a new subscription in the store’s time zone', async () => {
    const tenant = await createPlanTenant(api)
    const plan = await createPlan(tenant, { trialDays: 14 })
    const { ifStartedNow } = await tenant.guest.subscriptions.plan({ id: plan.id })
    const days = (Date.parse(ifStartedNow.firstChargeAt) - api.clock.now().getTime()) / dayMilliseconds
    expect(Math.abs(days - 14)).toBeLessThan(0.01)
    const between = (Date.parse(ifStartedNow.nextChargeAt) - Date.parse(ifStartedNow.firstChargeAt)) / dayMilliseconds
    expect([28, 29, 30, 31]).toContain(Math.round(between))
  })

  test('a product page lists its plans, the lowest yearly price first', async () => {
    const { tenant, films, listed } = await arrange()
    const yearly = await createPlan(tenant, { name: 'Yearly', price: 6000, cycle: 'YEAR' })
    const all = await createPlan(tenant, { name: 'All', price: 600 })
    const some = await createPlan(tenant, { name: 'Films', price: 400, categoryIds: [films.id] })
    const few = await createPlan(tenant, { name: 'Few', price: 100, productIds: [listed.id] })
    await createPlan(tenant, { price: 1, onSale: false })
    const plansOf = async (title: string) => {
      const { items } = await tenant.guest.catalog.search({ q: title })
      return (await tenant.guest.catalog.product({ id: items[0]!.id })).plans.map(({ id }) => id)
    }
    expect(await plansOf('Film on plans')).toEqual([some.id, yearly.id, all.id])
    expect(await plansOf('Listed')).toEqual([few.id, yearly.id, all.id])
    expect(await plansOf('Film for sale alone')).toEqual([])
    expect(await plansOf('Film for all')).toEqual([])
  })

  test('a changed price of a plan applies at once', async () => {
    const tenant = await createPlanTenant(api)
    const plan = await createPlan(tenant)
    expect((await tenant.guest.subscriptions.plan({ id: plan.id })).price.amount).toBe(900)
    await tenant.within((db) => db.update(plans).set({ priceAmount: 1000 }).where(eq(plans.id, plan.id)))
    expect((await tenant.guest.subscriptions.plan({ id: plan.id })).price.amount).toBe(1000)
  })

  test('requests for plans are refused with SUBSCRIBE_DISABLED in a store without plans', async () => {
    const tenant = await createTenant(api)
    const plan = await createPlan(tenant)
    for (const call of [
      () => tenant.guest.subscriptions.plans(),
      () => tenant.guest.subscriptions.plan({ id: plan.id }),
      () => tenant.guest.subscriptions.planProducts({ id: plan.id }),
    ])
      expect(await failureOf(call())).toMatchObject({ status: 403, code: 'SUBSCRIBE_DISABLED' })
  })
})

describe('partnerships', () => {
  test('a partnership covers all products of plans until it ends', async () => {
    const { tenant } = await arrange()
    const member = await tenant.createMember()
    const ownProducts = () => member.client.subscriptions.subscriptionProducts({})
    expect(await ownProducts()).toMatchObject({ items: [], total: 0 })
    const until = new Date(api.clock.now().getTime() + 3_600_000)
    await grantPartnership(tenant, member.id, until)
    expect(titles(await ownProducts())).toEqual(['Course for both', 'Film on plans', 'Listed'])
    expect((await ownProducts()).items.map(({ viewer }) => [viewer?.source, viewer?.expiresAt])).toEqual(
      Array(3).fill(['PLAN', until.toISOString()]),
    )
    expect((await member.client.identity.me()).usePlan).toEqual({ partnership: true, regular: false })
    api.clock.advance(3_600_001)
    expect(await ownProducts()).toMatchObject({ items: [], total: 0 })
    expect((await member.client.identity.me()).usePlan).toEqual({ partnership: false, regular: false })
  })
})
