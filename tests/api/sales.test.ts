import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAfter, dayAt, dayMilliseconds } from '#api/platform/clock.ts'
import type { SalesFigures } from '#contract/analytics.ts'
import type { OrderCode } from '#contract/ids.ts'
import { cleanUp } from '#tests/support/background-tasks.ts'
import { beginToDeposit, createBankTenant } from '#tests/support/bank.ts'
import { beginToBuy, buy, keyed } from '#tests/support/buying.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { refunding } from '#tests/support/refunding.ts'
import { passDays, subscriber } from '#tests/support/subscribing.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const { buyAll } = refunding(api)

const none: SalesFigures = { orders: 0, charges: 0, revenue: 0, refunds: 0, refunded: 0, net: 0 }
const dayThere = (tenant: Tenant) => dayAt(api.clock.now(), tenant.settings.base.timeZone)

const readSales = async (tenant: Tenant, input: { from?: string; to?: string; days?: number } = {}) => {
  const { client } = await tenant.createStaff('ANALYST')
  return client.analytics.sales(input)
}

/** Refunds items of an order as the store does. */
const refund = async (tenant: Tenant, code: string, itemIds?: string[]) => {
  const staff = await tenant.createStaff('OWNER')
  const { version } = await staff.client.admin.orders.get({ code: code as OrderCode })
  await staff
    .withVersion(version)
    .admin.orders.refund({ code: code as OrderCode, reason: 'Goodwill', ...(itemIds && { itemIds: itemIds as never }) })
}

describe('sales', () => {
  test('count money on the day on which it moved, beside the range before', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const products = [await tenant.createProduct({ price: 700 }), await tenant.createProduct({ price: 1300 })]
    const order = await buyAll(tenant, member, products)
    const paidOn = dayThere(tenant)
    api.clock.advance(dayMilliseconds)
    await refund(tenant, order.code, [order.items.find(({ product }) => product.id === products[0]!.id)!.id])
    await buy(api, tenant, await tenant.createMember(), await tenant.createProduct({ price: 500 }))

    const { range, before } = await readSales(tenant, { days: 2 })
    const today = { orders: 1, charges: 0, revenue: 500, refunds: 1, refunded: 700, net: -200 }
    const yesterday = { orders: 1, charges: 0, revenue: 2000, refunds: 0, refunded: 0, net: 2000 }
    expect(range.currencies).toEqual([
      {
        currency: tenant.settings.base.currency,
        total: { orders: 2, charges: 0, revenue: 2500, refunds: 1, refunded: 700, net: 1800 },
        periods: [
          { from: paidOn, ...yesterday },
          { from: dayThere(tenant), ...today },
        ],
      },
    ])
    expect(before.currencies[0]?.total).toEqual(none)
    const next = await readSales(tenant, { days: 1 })
    expect([next.range.currencies[0]?.total, next.before.currencies[0]?.total]).toEqual([today, yesterday])
    expect(next.before).toMatchObject({ from: paidOn, to: paidOn })

    const { client } = await tenant.createStaff('FINANCE')
    const home = await client.admin.home()
    expect(home.today).toMatchObject({ orders: 1, revenue: { amount: 500 } })
  })

  test('are compared with the same days a year before, or with chosen days, in the figures and in the file', async () => {
    const tenant = await createTenant(api)
    const film = await tenant.createProduct({ price: 700, title: 'Harbour' })
    await buy(api, tenant, await tenant.createMember(), film)
    const then = dayThere(tenant)
    const [year, ...rest] = then.split('-')
    api.clock.advance(Date.parse(`${Number(year) + 1}-${rest.join('-')}`) - Date.parse(then))
    await buy(api, tenant, await tenant.createMember(), await tenant.createProduct({ price: 500 }))
    const { client } = await tenant.createStaff('ANALYST')
    const { analytics } = client
    const totalOf = ({ currencies }: { currencies: { total: SalesFigures }[] }) => currencies[0]?.total.revenue
    const today = { days: 1 }
    expect(totalOf((await analytics.sales(today)).before)).toBe(0)
    const ofYear = { ...today, compare: 'year' as const }
    const { before } = await analytics.sales(ofYear)
    expect([before.from, before.to, totalOf(before)]).toEqual([then, then, 700])
    const chosen = { ...today, compare: 'range' as const, compareFrom: then, compareTo: dayAfter(then) }
    expect(await analytics.sales(chosen)).toMatchObject({
      range: { currencies: [{ total: { revenue: 500 }, periods: [{}] }] },
      before: { from: then, to: dayAfter(then), currencies: [{ total: { revenue: 700 }, periods: [{}, {}] }] },
    })
    // What lies between the two ranges is in neither.
    for (const compared of [ofYear, chosen]) {
      const { items, total } = await analytics.titles({ ...compared, sort: 'title' })
      expect([total, items.map(({ paid, before: earlier }) => [paid, earlier.paid])]).toEqual([
        2,
        expect.arrayContaining([
          [0, 700],
          [500, 0],
        ]),
      ])
    }
    expect((await analytics.titles(today)).total).toBe(1)

    const linesOf = async (input: object) =>
      (await (await analytics.table({ of: 'sales', ...input })).text()).trim().split('\r\n')
    expect((await linesOf(today))[0]).not.toContain('before')
    const [heading, ...lines] = await linesOf(chosen)
    expect(heading).toMatch(
      /new members,compared from,orders before,charges before,revenue before,.*new members before$/,
    )
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(new RegExp(`^${dayThere(tenant)},.*,${then},1,0,`))
    expect(lines[1]).toMatch(new RegExp(`^,${tenant.settings.base.currency},.*,${dayAfter(then)},0,0,`))
    expect((await linesOf({ ...ofYear, of: 'plays', per: 'day' }))[0]).toMatch(
      /compared from,views before,plays before/,
    )

    for (const [input, field] of [
      [{ compare: 'range' as const }, 'compareFrom'],
      [{ compare: 'range' as const, compareFrom: then }, 'compareTo'],
      [{ compare: 'range' as const, compareFrom: then, compareTo: '2020-01-01' }, 'compareTo'],
      [{ compare: 'range' as const, compareFrom: '1990-01-01', compareTo: then }, 'compareFrom'],
    ] as const)
      for (const call of [analytics.sales, analytics.titles, analytics.subscriptions])
        expect(await failureOf(call(input))).toMatchObject({
          code: 'VALIDATION_FAILED',
          problem: { errors: { [field]: [expect.any(String)] } },
        })
  })

  test('agree with the ledger and with the sum of their days, whatever was bought and refunded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            prices: fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 3 }),
            refunds: fc.constantFrom('NONE', 'FIRST', 'ALL'),
            waits: fc.integer({ min: 0, max: 40 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (orders) => {
          const tenant = await createTenant(api)
          const ledger = { paid: 0, refunded: 0 }
          for (const { prices, refunds, waits } of orders) {
            const products = await tenant.createProducts(prices.map((price) => ({ price })))
            const member = await tenant.createMember()
            const order = await buyAll(tenant, member, products)
            api.clock.advance(waits * 3_600_000)
            if (refunds !== 'NONE')
              await refund(tenant, order.code, refunds === 'FIRST' ? [order.items[0]!.id] : undefined)
            const { total, refundedAmount } = await member.client.orders.order({ code: order.code as OrderCode })
            ledger.paid += total.amount
            ledger.refunded += refundedAmount.amount
          }
          const { currencies } = (await readSales(tenant)).range
          const { total, periods } = currencies[0]!
          expect(currencies).toHaveLength(1)
          expect(total).toMatchObject({
            orders: orders.length,
            revenue: ledger.paid,
            refunded: ledger.refunded,
            net: ledger.paid - ledger.refunded,
          })
          for (const name of ['orders', 'revenue', 'refunds', 'refunded', 'net'] as const)
            expect(periods.reduce((sum, period) => sum + period[name], 0)).toBe(total[name])
        },
      ),
      { numRuns: 5 },
    )
  })

  test('are a table as CSV, by day, week or month', async () => {
    const tenant = await createTenant(api)
    await buy(api, tenant, await tenant.createMember(), await tenant.createProduct({ price: 1250 }))
    const { client } = await tenant.createOperator()
    const day = dayThere(tenant)
    const read = async (input: object) => {
      const file = await client.analytics.table({ of: 'sales', from: day, to: day, ...input })
      return { name: file.name, lines: (await file.text()).replace('\ufeff', '').trim().split('\r\n') }
    }
    const { name, lines } = await read({})
    expect(name).toBe(`analytics-${tenant.code}-sales-${day}-${day}.csv`)
    expect(lines[0]).toBe('from,currency,orders,charges,revenue,refunds,refunded,net,new members')
    expect(lines[1]).toMatch(new RegExp(`^${day},USD,1,0,12\\.50,0,0\\.00,12\\.50,\\d+$`))
    expect((await read({ per: 'month' })).lines[1]).toMatch(new RegExp(`^${day.slice(0, 8)}01,`))
    expect((await failureOf(read({ per: 'lesson' }))).status).toBe(422)
    const { client: catalog } = await tenant.createStaff('CATALOG')
    expect((await catalog.analytics.searches({})).items).toEqual([])
    for (const call of [() => catalog.analytics.sales({}), () => catalog.analytics.table({ of: 'sales' })])
      expect(await failureOf(call())).toMatchObject({ status: 403, problem: { data: { permission: 'orders:read' } } })
  })
})

test('the share of paid checkouts is counted, and home says when it has fallen', async () => {
  const tenant = await createTenant(api)
  const product = await tenant.createProduct({ price: 700 })
  const checkOut = async (paid: number, left: number) => {
    const members = await Promise.all(Array.from({ length: paid + left }, () => tenant.createMember()))
    for (const [at, member] of members.entries()) await (at < paid ? buy : beginToBuy)(api, tenant, member, product)
  }
  const home = async () => {
    const { client } = await tenant.createStaff('OWNER')
    return (await client.admin.home({})).waiting.lowConversion
  }
  await checkOut(16, 4)
  // Neither a free order nor one that the buyer has replaced counts.
  const again = await tenant.createMember()
  await beginToBuy(api, tenant, again, product)
  await buy(api, tenant, again, product)
  await buy(api, tenant, again, await tenant.createProduct({ price: 0 }))
  const { range } = await readSales(tenant, { days: 1 })
  expect(range.checkouts).toEqual({ begun: 21, paid: 17, conversion: 17 / 21 })

  api.clock.advance(8 * dayMilliseconds)
  await checkOut(10, 9)
  expect(await home()).toBeNull()
  await checkOut(0, 1)
  expect(await home()).toEqual({ now: 0.5, usual: 17 / 21 })
  expect((await readSales(tenant, { days: 7 })).before.checkouts.begun).toBe(21)
}, 60_000)

test('orders whose transfer may still arrive do not make home say that fewer are paid', async () => {
  const tenant = await createBankTenant(api)
  const product = await tenant.createProduct({ price: 700 })
  const members = (count: number) => Promise.all(Array.from({ length: count }, () => tenant.createMember()))
  for (const member of await members(20)) await buy(api, tenant, member, product)
  api.clock.advance(8 * dayMilliseconds)
  for (const member of await members(20)) await buy(api, tenant, member, product)
  const waiting = await members(15)
  for (const member of waiting) await beginToDeposit(api, tenant, member, product)
  const lowConversion = async () => {
    const { client } = await tenant.createStaff('OWNER')
    return (await client.admin.home({})).waiting.lowConversion
  }
  expect(await lowConversion()).toBeNull()
  for (const member of waiting) {
    const [order] = (await member.client.orders.orders({})).items
    await keyed(api, tenant, member).billing.requestCancel({ code: order!.code, reason: 'No money left' })
  }
  expect(await lowConversion()).toEqual({ now: 20 / 35, usual: 1 })
}, 60_000)

test('subscriptions are counted with trials, monthly revenue and churn', async () => {
  const tenant = await createPlanTenant(api)
  const monthly = await createPlan(tenant, { price: 900 })
  const yearly = await createPlan(tenant, { price: 12_000, cycle: 'YEAR', code: 'year', sort: 1 })
  const trial = await createPlan(tenant, { price: 600, trialDays: 7, code: 'trial', sort: 2 })
  const leaving = await subscriber(api, tenant, monthly)
  await subscriber(api, tenant, yearly)
  await subscriber(api, tenant, trial)
  const { client } = await tenant.createStaff('ANALYST')
  const first = await client.analytics.subscriptions({ days: 1 })
  const { currency } = tenant.settings.base
  expect(first.total).toEqual({
    active: 3,
    paused: 0,
    trialing: 1,
    started: 3,
    ended: 0,
    churn: null,
    trialsStarted: 1,
    trialConversion: null,
    monthlyRevenue: [{ amount: 1900, currency }],
  })
  expect(first.before).toMatchObject({ active: 0, started: 0 })
  expect(first.plans.map(({ plan, active }) => [plan.code, active])).toContainEqual(['year', 1])
  const { client: analyst } = await tenant.createOperator()
  const sold = await analyst.analytics.sales({ days: 1 })
  expect(sold.range.currencies[0]?.total).toMatchObject({ orders: 0, charges: 2, revenue: 12_900, net: 12_900 })

  await passDays(api, tenant, 8)
  await leaving.member.client.identity.withdraw({ password })
  const next = await client.analytics.subscriptions({ days: 8 })
  expect(next.total).toMatchObject({
    active: 2,
    trialing: 0,
    ended: 1,
    churn: 0.5,
    trialConversion: 1,
    monthlyRevenue: [{ amount: 1600, currency }],
  })
  expect(next.before).toMatchObject({ active: 3, trialing: 1 })
  const lines = (await (await analyst.analytics.table({ of: 'subscriptions', days: 8 })).text()).trim().split('\r\n')
  expect(lines).toContainEqual('year,All access,1,0,0,0,0,0,0,,10.00,USD')
})

test('searches without a result are counted by day, without what may name a person', async () => {
  const tenant = await createTenant(api)
  await tenant.createProduct({ title: 'A quiet tide' })
  const search = (q: string, more: object = {}) => tenant.guest.catalog.search({ q, ...more })
  for (const q of ['Submarine  RACE', 'submarine race', 'quiet tide', ' ', 'mina@example.com', '010 1234 5678'])
    await search(q)
  await search('submarine race', { page: 2 })
  await search('submarine race', { kind: ['VOD'] })
  api.clock.advance(dayMilliseconds)
  await search('submarine race')
  await search('=sum(a)')
  const { client } = await tenant.createStaff('ANALYST')
  const { items } = await client.analytics.searches({})
  expect(items).toEqual([
    { words: 'submarine race', searches: 3, lastDay: dayThere(tenant) },
    { words: '=sum(a)', searches: 1, lastDay: dayThere(tenant) },
  ])
  expect((await client.analytics.searches({ days: 1 })).items).toMatchObject([{ searches: 1 }, { searches: 1 }])
  const { client: program } = await tenant.createOperator()
  expect(await (await program.analytics.table({ of: 'searches' })).text()).toContain("'=sum(a),1,")
  api.clock.advance(800 * dayMilliseconds)
  await cleanUp(api, tenant)
  // The session has ended meanwhile.
  expect((await program.analytics.searches({ days: 1_830 })).items).toEqual([])
})
