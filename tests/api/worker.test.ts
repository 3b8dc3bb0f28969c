import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { createDeps, type Deps } from '#api/deps.ts'
import { startWorker } from '#api/worker.ts'
import { type CustomerId, customerCode } from '#contract/ids.ts'
import { createOpenCustomer } from '#tests/support/open-customer.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { plainSettings } from '#tests/support/settings.ts'

/** A worker runs the tasks of every tenant, so it gets a database of its own. */
const { url: databaseUrl, jobsUrl: jobsDatabaseUrl, ownerUrl } = await ownDatabase()
let owner: pg.Pool
let deps: Deps
let customerId: CustomerId

beforeAll(async () => {
  owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  const settings = plainSettings()
  customerId = await createOpenCustomer(drizzle(owner), {
    code: customerCode.parse('jobs'),
    settings,
    hosts: ['jobs.test'],
  })
  deps = createDeps({
    databaseUrl,
    jobsDatabaseUrl,
    secret: 'x'.repeat(32),
    config: {
      production: true,
      dataFolder: tmpdir(),
      logLevel: 'silent',
      databasePoolSize: 4,
      publicUrl: null,
      trustedProxies: [],
    },
  })
})
afterAll(async () => {
  await deps[Symbol.asyncDispose]()
  await owner.end()
})

const jobs = async (queue: string) =>
  (await owner.query<{ state: string; data: object }>('SELECT state, data FROM jobs.job WHERE name = $1', [queue])).rows
const work = (given: Deps = deps) => startWorker(given, createApi(deps).fetch)
const pollOptions = { timeout: 20_000, interval: 100 }

test('tasks due while no worker ran are run at the start, and a sweep follows every minute', async () => {
  const key = { customerId, memberId: randomUUID(), key: 'old', procedure: 'placeOrder', bodyHash: '' }
  const keys = async () =>
    (await owner.query('SELECT key FROM idempotency_keys WHERE customer_id = $1', [customerId])).rowCount
  await owner.query(
    `INSERT INTO idempotency_keys (customer_id, member_id, key, procedure, body_hash, locked_until, created_at)
       VALUES ($1, $2, $3, $4, $5, now(), now() - interval '90 days')`,
    Object.values(key),
  )
  expect(await keys()).toBe(1)
  await using _worker = await work()
  await expect.poll(keys, pollOptions).toBe(0)
  const { rows } = await owner.query('SELECT cron, data FROM jobs.schedule ORDER BY cron')
  expect(rows).toContainEqual({ cron: '* * * * *', data: { name: 'sweep' } })
})

test('a task that fails at one tenant is retried', async () => {
  let tries = 0
  const sandbox: Deps['sandbox'] = {
    ...deps.sandbox,
    deliverDue: async () => {
      tries++
      if (tries < 2) throw new Error('The receiver is away')
      return 0
    },
  }
  await using _worker = await work({ ...deps, sandbox })
  await expect
    .poll(() => jobs('failed-tasks'), pollOptions)
    .toContainEqual({ state: 'completed', data: { customer: 'jobs', task: 'webhooks' } })
  expect(tries).toBeGreaterThanOrEqual(2)
})
