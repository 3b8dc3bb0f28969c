import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tenantsWithDueWork } from '#api/modules/admin/admin-lists.queries.ts'
import { sweepDueTenants, sweepTenants } from '#api/worker.ts'
import { bulkJobId } from '#contract/ids.ts'
import { depositFor } from '#tests/support/bank.ts'
import { beginToBuy, beginToPay, placeOrderOf } from '#tests/support/buying.ts'
import { databaseBefore } from '#tests/support/database-before.ts'
import { queueGreetingOf } from '#tests/support/mails.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createPlan } from '#tests/support/plans.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

// A sweep includes all tenants, so other test files use another database.
const api = createTestApi({ database: await ownDatabase() })
const settings = plainSettings()
settings.order.methods = ['CARD', 'BANK']
const inMinutes = (minutes: number) => new Date(api.clock.now().getTime() + minutes * 60_000)
const isDue = async ({ id }: Tenant, minutesLater = 0) =>
  (await tenantsWithDueWork(api.deps.pool, inMinutes(minutesLater))).some((tenant) => tenant.id === id)

/** A job over all members of a store, which no worker runs here. */
const bulkInput = () => ({
  id: bulkJobId.parse(randomUUID()),
  kind: 'MEMBER_TAGS' as const,
  filters: {},
  change: { add: ['a'] },
})

/** What the tasks of a sweep find in one tenant. */
const dueRows = [
  `orders WHERE customer_id = $1 AND status IS NULL AND expires_at <= $2`,
  `orders WHERE customer_id = $1 AND status = 'DEPOSIT_WAITING'`,
  `payments WHERE customer_id = $1 AND status IN ('READY', 'PROCESSING') AND (next_check_at IS NULL OR next_check_at <= $2)`,
  `payments WHERE customer_id = $1 AND method = 'BANK' AND settled_at >= $2::timestamptz - interval '30 days'
     AND (next_check_at IS NULL OR next_check_at <= $2)`,
  `cancel_requests WHERE customer_id = $1 AND outcome IS NULL AND next_attempt_at <= $2`,
  `cases WHERE customer_id = $1 AND status = 'WAIT' AND data ?| '{paymentId,chargeId}'`,
  `subscription_charges WHERE customer_id = $1 AND status = 'PENDING' AND (next_check_at IS NULL OR next_check_at <= $2)`,
  `subscription_charges WHERE customer_id = $1 AND failure = 'UNAPPLIED' AND refunded_amount < amount`,
  `subscription_charges WHERE customer_id = $1 AND refund_total > refunded_amount`,
  `subscriptions WHERE customer_id = $1 AND ended_at IS NULL
     AND (activated_at IS NULL OR cancel_at <= $2 OR resume_at <= $2 OR paused_at IS NULL AND least(period_end, next_attempt_at) <= $2)`,
  `cards WHERE customer_id = $1 AND status = 'READY' AND (next_check_at IS NULL OR next_check_at <= $2)`,
  `cards WHERE customer_id = $1 AND status IN ('FAILED', 'REMOVED') AND next_check_at <= $2`,
  `cards WHERE customer_id = $1 AND status = 'REMOVED' AND token IS NOT NULL`,
  `sandbox_deliveries WHERE customer_id = $1 AND delivered_at IS NULL AND due_at <= $2`,
  `mails WHERE customer_id = $1 AND status = 'QUEUED' AND due_at <= $2`,
  `video_jobs WHERE customer_id = $1 AND (status = 'RUNNING' OR status = 'QUEUED' AND due_at <= now()
     OR status IN ('FAILED', 'CANCELLED') AND step IS NOT NULL)`,
  `bulk_jobs WHERE customer_id = $1 AND finished_at IS NULL`,
  `product_events WHERE customer_id = $1`,
]

/** The tenants whose tasks a sweep runs: each has the task of webhooks. */
const sweptBy = async (sweep: typeof sweepTenants) => {
  const codes: string[] = []
  const deliverDue = async ({ code }: { code: string }) => codes.push(code)
  await sweep({ ...api.deps, sandbox: { ...api.deps.sandbox, deliverDue } }, (request) => api.fetch(request))
  return codes.sort()
}

test('a sweep of every minute runs the tasks of tenants with due work alone, one of every hour those of all', async () => {
  const tenants = await Promise.all(Array.from({ length: 5 }, () => createTenant(api)))
  const all = tenants.map(({ code }) => code).sort()
  expect(await sweptBy(sweepTenants)).toEqual(all)
  expect(await sweptBy(sweepDueTenants)).toEqual([])
  await queueGreetingOf(api)(tenants[3]!, 'a@example.com')
  expect(await sweptBy(sweepDueTenants)).toEqual([tenants[3]?.code])
})

test('views, orders, payments and deposits are due work while they need a task', async () => {
  const tenant = await createTenant(api, { settings })
  const first = await tenant.createMember()
  const products = await tenant.createProducts([{}])
  await sweepTenants(api.deps, (request) => api.fetch(request))
  expect(await isDue(tenant, 60)).toBe(false)

  await tenant.guest.engagement.view({ id: products[0]!.id })
  expect(await isDue(tenant)).toBe(true)
  await sweepTenants(api.deps, (request) => api.fetch(request))
  expect(await isDue(tenant)).toBe(false)

  const order = await placeOrderOf(api, tenant, first, products[0]!)
  expect(await isDue(tenant)).toBe(false)
  expect(await isDue(tenant, 24 * 60)).toBe(true)
  await beginToPay(api, tenant, first, order)
  expect(await isDue(tenant)).toBe(true)

  const other = await createTenant(api, { settings })
  expect(await isDue(other)).toBe(false)
  const buyer = await other.createMember()
  const product = await other.createProduct()
  const { order: ordered } = await beginToBuy(api, other, buyer, product)
  await depositFor(api, other, buyer, ordered)
  expect(await isDue(other)).toBe(true)
})

test('a subscription is due work at its renewal, and when its charge is under way', async () => {
  const subscriptions = plainSettings()
  subscriptions.order.useSubscribe = true
  const tenant = await createTenant(api, { settings: subscriptions })
  const plan = await createPlan(tenant)
  await subscriber(api, tenant, plan)
  await sweepTenants(api.deps, (request) => api.fetch(request))
  expect(await isDue(tenant, 60)).toBe(false)
  expect(await isDue(tenant, 32 * 24 * 60)).toBe(true)
})

test('the tenants with due work are those in which a task finds rows, whatever their states and times are', async () => {
  const subscriptions = plainSettings()
  subscriptions.order.useSubscribe = true
  subscriptions.order.methods = ['CARD', 'BANK']
  const tenants: Tenant[] = []
  for (let place = 0; place < 4; place++) {
    const tenant = await createTenant(api, { settings: subscriptions })
    const [buyer, product] = [await tenant.createMember(), await tenant.createProduct()]
    await subscriber(api, tenant, await createPlan(tenant))
    const { order } = await beginToBuy(api, tenant, buyer, product)
    await depositFor(api, tenant, buyer, order)
    await beginToBuy(api, tenant, await tenant.createMember(), product)
    await queueGreetingOf(api)(tenant, `p${place}@example.com`)
    await (await tenant.createStaff('SUPPORT')).client.admin.bulk.start(bulkInput())
    tenants.push(tenant)
  }
  await sweepTenants(api.deps, (request) => api.fetch(request))
  const rowsDue = async (tenant: Tenant, now: Date) => {
    const text = `SELECT ${dueRows.map((rows) => `EXISTS (SELECT FROM ${rows})`).join(' OR ')} AS due`
    const { rows } = await tenant.within((db) =>
      db.$client.query<{ due: boolean }>(text, [tenant.id, now.toISOString()]),
    )
    return rows[0]?.due
  }
  const minutes = fc.integer({ min: -60, max: 60 })
  const time = fc.option(minutes)
  const changes = fc.record({
    order: fc.constantFrom('NULL', `'DEPOSIT_WAITING'`, `'PAYMENT_COMPLETE'`, `'CANCEL_COMPLETE'`),
    expires: minutes,
    payment: fc.constantFrom('READY', 'PROCESSING', 'PAID', 'FAILED'),
    settled: fc.option(fc.constantFrom(-60, -29 * 24 * 60, -31 * 24 * 60)),
    charge: fc.constantFrom(`'PAID', NULL`, `'PENDING', NULL`, `'FAILED', 'UNAPPLIED'`),
    checked: time,
    cancel: time,
    period: time,
    attempt: time,
    paused: fc.boolean(),
    resume: time,
    card: fc.constantFrom('READY', 'ACTIVE', 'FAILED', 'REMOVED'),
    token: fc.boolean(),
    finished: fc.boolean(),
    mail: fc.constantFrom('QUEUED', 'SENT'),
    due: minutes,
  })
  const at = (value: number | null) => (value === null ? 'NULL' : `'${inMinutes(value).toISOString()}'`)
  const rounds = fc.record({ place: fc.nat(3), now: minutes, change: changes })
  const seen = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(rounds, async ({ place, now, change }) => {
      const tenant = tenants[place]!
      await tenant.within(async (db) => {
        const own = `customer_id = '${tenant.id}'`
        for (const statement of [
          `UPDATE orders SET status = ${change.order}, expires_at = ${at(change.expires)} WHERE ${own}`,
          `UPDATE payments SET status = '${change.payment}', settled_at = ${at(change.settled)}, next_check_at = ${at(change.checked)}
            WHERE ${own} AND status <> 'PAID'
              AND NOT EXISTS (SELECT FROM payments p WHERE p.${own} AND p.order_id = payments.order_id AND p.id < payments.id)`,
          `UPDATE subscription_charges SET (status, failure) = (${change.charge}), next_check_at = ${at(change.checked)} WHERE ${own}`,
          `UPDATE subscriptions SET cancel_at = ${at(change.cancel)}, period_end = ${at(change.period)}, next_attempt_at = ${at(change.attempt)},
              paused_at = ${change.paused ? 'now()' : 'NULL'}, resume_at = ${change.paused ? at(change.resume) : 'NULL'}
            WHERE ${own}`,
          `UPDATE cards SET status = '${change.card}', token = ${change.token ? `'token'` : 'NULL'}, next_check_at = ${at(change.checked)}
            WHERE ${own}`,
          `UPDATE bulk_jobs SET finished_at = ${change.finished ? 'now()' : 'NULL'} WHERE ${own}`,
          `UPDATE mails SET status = '${change.mail}', due_at = ${at(change.due)} WHERE ${own}`,
          `DELETE FROM product_events WHERE ${own}`,
          `DELETE FROM sandbox_deliveries WHERE ${own}`,
        ])
          await db.execute(sql.raw(statement))
      })
      const time = inMinutes(now)
      const due = await tenantsWithDueWork(api.deps.pool, time)
      for (const each of tenants) {
        const expected = await rowsDue(each, time)
        expect([each.code, due.some(({ id }) => id === each.id)]).toEqual([each.code, expected])
        seen.add(expected ?? false)
      }
    }),
    { numRuns: 40 },
  )
  expect(seen).toEqual(new Set([true, false]))
}, 120_000)

test('nobody reads past the tenants by the function of due work', async () => {
  const [tenant, other] = [await createTenant(api), await createTenant(api)]
  await queueGreetingOf(api)(other, 'b@example.com')
  const read = (name: string) =>
    tenant.within(async (db) => {
      await db.execute(sql.raw(`SET LOCAL ${name} = 'on'`))
      return db.execute<{ customer_id: string }>('SELECT customer_id FROM mails')
    })
  expect((await read('marquee.reads_due_work')).rows).toEqual([])
})

test('due work is found for all tenants by an owner whom the policies bind', async () => {
  await using database = await databaseBefore('0026_due-work')
  const { client } = database
  await database.apply('0026_due-work')
  await client.query(
    `INSERT INTO customers (customer_id, code, settings) SELECT gen_random_uuid(), 's-' || n, '{}' FROM generate_series(1, 3) n`,
  )
  await client.query(
    `INSERT INTO product_events (customer_id, id, product_id, part, type, at)
     SELECT customer_id, gen_random_uuid(), gen_random_uuid(), 'main', 'WATCH', now() FROM customers, generate_series(1, 2) WHERE code <> 's-2'`,
  )
  const { rows: owners } = await client.query<{ owner: string }>(
    `SELECT tableowner AS owner FROM pg_tables WHERE tablename = 'mails'`,
  )
  const due = `SELECT c.code FROM customers_with_due_work(now()) AS due (id) JOIN customers c ON c.customer_id = due.id ORDER BY 1`
  for (const role of ['marquee_app', owners[0]!.owner]) {
    await client.query(`SET ROLE ${role}`)
    expect((await client.query(due)).rows).toEqual([{ code: 's-1' }, { code: 's-3' }])
    expect((await client.query('SELECT FROM product_events')).rows).toEqual([])
    await client.query('RESET ROLE')
  }
})
