import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { applyMigrations } from '#api/platform/db/apply-migrations.ts'
import { customerBase } from '#contract/http.ts'
import { terms } from '#tests/support/buying.ts'
import { writeLaterMigrations } from '#tests/support/migrations-folder.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

/** What later migrations may do, see tests/architecture/migrations.test.ts. */
const laterMigrations = [
  [
    'ALTER TABLE "products" ADD COLUMN "later" text',
    'UPDATE "products" SET "later" = "title"',
    'CREATE INDEX "products_later" ON "products" ("customer_id","later")',
  ],
  [`ALTER TABLE "orders" ADD COLUMN "later" jsonb DEFAULT '{}'::jsonb NOT NULL`],
  ['ALTER TABLE "likes" ADD COLUMN "later" timestamptz'],
  ['ALTER TABLE "customers" ADD COLUMN "later" text'],
  ['CREATE TABLE "later" ("customer_id" uuid NOT NULL, "id" uuid NOT NULL)'],
]

const database = await ownDatabase()
const api = createTestApi({ database })

const open = async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const products = await tenant.createProducts(Array.from({ length: 60 }, (_, at) => ({ title: `Film ${at}` })))
  const statuses: number[] = []
  let isOver = false
  const send = async (path: string, json?: unknown) => {
    const headers = {
      authorization: `Bearer ${member.token}`,
      'idempotency-key': `${Math.random()}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    }
    const init = json === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(json) }
    const answer = await api.fetch(new Request(api.origin + customerBase(tenant.code) + path, init))
    await answer.text()
    statuses.push(answer.status)
    return answer
  }
  const one = (turn: number) => products[turn % products.length]!
  const clients = [
    (turn: number) => send(`/new-search?size=24&page=${1 + (turn % 3)}`),
    (turn: number) => send(`/new-products/${one(turn).id}`),
    () => send('/me'),
    (turn: number) => send(`/products/${one(turn).id}/like`, { liked: turn % 3 > 0 }),
    (turn: number) =>
      turn < 50
        ? send('/orders', { buyNow: { productId: one(turn).id, optionId: one(turn).optionId }, ...terms(tenant) })
        : send('/orders'),
  ].map(async (client) => {
    for (let turn = 0; !isOver; turn++) await client(turn)
  })
  const answered = (more: number) => {
    const enough = statuses.length + more
    return vi.waitFor(() => expect(statuses.length).toBeGreaterThan(enough), { timeout: 60_000, interval: 20 })
  }
  const end = async () => {
    isOver = true
    await Promise.all(clients)
    return statuses
  }
  // Clients that never end would keep the process of the tests.
  onTestFinished(() => {
    isOver = true
  })
  return { answered, end, send }
}

test('this release serves reads and writes while a later one adds columns, tables and indexes', async () => {
  const load = await open()
  await load.answered(100)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await applyMigrations(owner, await writeLaterMigrations(laterMigrations))
  await owner.end()
  await load.answered(100)
  const statuses = await load.end()
  expect(statuses.filter((status) => status >= 400)).toEqual([])
  expect((await load.send('/new-search')).status).toBe(200)
}, 180_000)

test('a request that waits too long for the lock of a migration is answered with 503', async () => {
  const tenant = await createTenant(api)
  const { deps } = api
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('BEGIN')
  await owner.query('LOCK TABLE categories IN ACCESS EXCLUSIVE MODE')
  // The time limit of the serving role is nine seconds.
  const answer = await api.fetch(new Request(`${api.origin}${customerBase(tenant.code)}/categories`))
  await owner.query('ROLLBACK')
  await owner.end()
  expect([answer.status, (await answer.json()).code]).toEqual([503, 'UNAVAILABLE'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(deps.pool.waitingCount).toBe(0)
}, 30_000)
