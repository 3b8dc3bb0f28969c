/**
 * Lists of the console over HTTP with 100,000 orders, 50,000 members and 20,000 comments, one call
 * after the other. By itself: `node tests/bench/console-lists.ts --orders 100000 --members 50000`.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { customerBase } from '#contract/http.ts'
import { customerCode } from '#contract/ids.ts'
import { printFigures, record } from './figures.ts'
import { type BenchStore, option, startStore } from './store.ts'

const tenant = 'bench-lists'
/** Milliseconds that 95 of 100 calls may take. */
const goal = 50

const createToken = async ({ env }: BenchStore) => {
  const args = ['server/launch.js', 'cli', 'operator-token', 'create', '-c', tenant, '--name', 'bench', '--by', 'bench']
  const scopes = ['--scope', 'orders:read', 'members:read', 'comments:read']
  const { stdout } = await promisify(execFile)(process.execPath, [...args, ...scopes], { env })
  return stdout.trim()
}

const seed = async ({ env }: BenchStore, { orders, members }: { orders: number; members: number }) => {
  const counts = ['--products', '1000', '--members', String(members), '--orders', String(orders), '--comments', '20000']
  const args = ['scripts/seed-bulk.ts', ...counts, '--tenant', tenant]
  const seeding = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [exit] = await once(seeding, 'exit')
  if (exit !== 0) throw new Error(`The tenant could not be filled: ${exit}`)
}

interface ListPage {
  nextCursor: string | null
  items: { email?: string; memberId?: string; product?: { code: string } }[]
}

/** Measures the lists, and prints a table. */
export async function measureConsoleLists(
  store: BenchStore,
  { orders, members }: { orders: number; members: number },
): Promise<void> {
  await seed(store, { orders, members })
  const headers = { authorization: `Bearer ${await createToken(store)}` }
  const base = `${customerBase(customerCode.parse(tenant))}/admin`
  const call = async (path: string): Promise<{ time: number; answer: ListPage }> => {
    const begun = performance.now()
    const { status, body } = await store.get(tenant, `${base}${path}`, headers)
    const time = performance.now() - begun
    if (status === 429) {
      // A token has 1,200 calls a minute.
      await setTimeout(10_000)
      return call(path)
    }
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    return { time, answer: JSON.parse(body.toString()) }
  }
  /** The cursor of a page in the depth of a list. */
  const cursorAt = async (path: string, depth: number, sort = '') => {
    let cursor = ''
    for (let page = 0; page < depth; page++) {
      const { nextCursor } = (await call(`${path}?size=200&${sort}${cursor && `&cursor=${cursor}`}`)).answer
      cursor = nextCursor ?? cursor
    }
    return cursor
  }
  const titles = await store.get(
    tenant,
    `${customerBase(customerCode.parse(tenant))}/analytics/titles?days=1830&size=1`,
    headers,
  )
  const productOfOrders = (JSON.parse(titles.body.toString()) as { items: { code: string }[] }).items[0]?.code
  const email = (await call('/members?size=1')).answer.items[0]?.email ?? ''
  const { memberId, product } = (await call('/comments/all?size=1')).answer.items[0] ?? {}
  const rows = []
  for (const [name, path] of [
    ['orders, latest', '/orders'],
    ['orders, page 100', `/orders?cursor=${await cursorAt('/orders', 25)}`],
    ['orders, refunded', '/orders?status=CANCEL_COMPLETE'],
    ['orders of a month', '/orders?from=2026-01-01&to=2026-01-31'],
    ['orders by the start of an email', `/orders?q=${email.slice(0, 6)}`],
    ['orders of an email', `/orders?q=${email}`],
    ['orders, no hit', '/orders?q=nobody@'],
    ['orders by a name', '/orders/search?q=sora'],
    ['orders by a name, no hit', '/orders/search?q=nobody@'],
    ['orders by a common text', '/orders/search?q=example'],
    ['orders, oldest', '/orders?sort=OLDEST'],
    ['orders by total', '/orders?sort=TOTAL'],
    ['orders by total, page 100', `/orders?sort=TOTAL&cursor=${await cursorAt('/orders', 25, 'sort=TOTAL')}`],
    ['orders by bank transfer', '/orders?way=BANK'],
    ['orders recorded by staff', '/orders?way=RECORDED'],
    ['orders of a rare way, by total', '/orders?way=COMPLIMENTARY&sort=TOTAL'],
    ['orders of a product', `/orders?product=${productOfOrders}`],
    ['orders of a product, by total', `/orders?product=${productOfOrders}&sort=TOTAL`],
    ['orders of an amount', '/orders?min=1000&max=2000'],
    ['orders above all amounts', '/orders?min=999999999'],
    ['received deposits', '/deposits/received'],
    ['received deposits of an amount', '/deposits/received?min=1000&max=2000'],
    ['members, latest', '/members'],
    ['members, page 100', `/members?cursor=${await cursorAt('/members', 25)}`],
    ['members by name', '/members?q=sora'],
    ['members by email', `/members?q=${email}`],
    ['members, no hit', '/members?q=nobody-has-this'],
    ['comments, latest', '/comments/all'],
    ['comments, page 40', `/comments/all?cursor=${await cursorAt('/comments/all', 10)}`],
    ['comments, hidden', '/comments/all?state=HIDDEN'],
    ['comments, deleted', '/comments/all?state=DELETED'],
    ['comments, reported', '/comments/all?reported=ANY'],
    ['comments of a product', `/comments/all?product=${product?.code}`],
    ['comments of a member', `/comments/all?memberId=${memberId}`],
    ['comments by words', '/comments/all?q=the%20camera'],
    ['comments by words, no hit', '/comments/all?q=nobody%20wrote-this'],
    ['comments of a month', '/comments/all?from=2026-01-01&to=2026-01-31'],
    ['home', '/home'],
  ] as const) {
    for (let time = 0; time < 5; time++) await call(path)
    const times: number[] = []
    for (let time = 0; time < 60; time++) times.push((await call(path)).time)
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
    record(`console, ${name}, p95`, at(0.95), 'ms', { atMost: goal })
    rows.push({ list: name, 'p50 ms': at(0.5).toFixed(1), 'p95 ms': at(0.95).toFixed(1) })
  }
  console.log(`\nThe console at ${orders.toLocaleString('en')} orders and ${members.toLocaleString('en')} members`)
  console.table(rows)
}

if (import.meta.main) {
  using store = await startStore()
  await measureConsoleLists(store, { orders: option('orders', 100_000), members: option('members', 50_000) })
  printFigures()
}
