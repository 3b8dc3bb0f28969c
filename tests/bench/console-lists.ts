/**
 * Lists of the console over HTTP with 100,000 orders, 50,000 members, 20,000 comments and, in
 * another tenant, 100,000 products, one call after the other. By itself:
 * `node tests/bench/console-lists.ts --orders 100000 --members 50000 --products 100000`.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { customerBase } from '#contract/http.ts'
import { customerCode } from '#contract/ids.ts'
import { printFigures, record } from './figures.ts'
import { type BenchStore, option, startStore } from './store.ts'

/** Milliseconds that 95 of 100 calls may take. */
const goal = 50

const createToken = async ({ env }: BenchStore, tenant: string) => {
  const args = ['server/launch.js', 'cli', 'operator-token', 'create', '-c', tenant, '--name', 'bench', '--by', 'bench']
  const scopes = ['--scope', 'orders:read', 'members:read', 'comments:read', 'products:read']
  const { stdout } = await promisify(execFile)(process.execPath, [...args, ...scopes], { env })
  return stdout.trim()
}

const seed = async ({ env }: BenchStore, tenant: string, counts: Record<string, number>) => {
  const flags = Object.entries(counts).flatMap(([name, count]) => [`--${name}`, String(count)])
  const args = ['scripts/seed-bulk.ts', ...flags, '--tenant', tenant]
  const seeding = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [exit] = await once(seeding, 'exit')
  if (exit !== 0) throw new Error(`The tenant could not be filled: ${exit}`)
}

/** What is read of lists and of a product. */
interface ListPage {
  nextCursor: string | null
  items: { code?: string; title?: string; email?: string; memberId?: string; product?: { code: string } }[]
  /** Of a product. */
  tags?: string[]
  categoryIds?: string[]
}

/** Calls of the console of a tenant, with the time of each in milliseconds. */
const openConsole = async (store: BenchStore, tenant: string) => {
  const headers = { authorization: `Bearer ${await createToken(store, tenant)}` }
  const base = customerBase(customerCode.parse(tenant))
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
      const { nextCursor } = (await call(`/admin${path}?size=200&${sort}${cursor && `&cursor=${cursor}`}`)).answer
      cursor = nextCursor ?? cursor
    }
    return cursor
  }
  return { call, cursorAt }
}

/** Measures lists one call after the other, and prints a table. */
const measureLists = async (
  title: string,
  call: Awaited<ReturnType<typeof openConsole>>['call'],
  lists: readonly (readonly [name: string, path: string])[],
) => {
  const rows = []
  for (const [name, path] of lists) {
    for (let time = 0; time < 5; time++) await call(`/admin${path}`)
    const times: number[] = []
    for (let time = 0; time < 60; time++) times.push((await call(`/admin${path}`)).time)
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
    record(`console, ${name}, p95`, at(0.95), 'ms', { atMost: goal })
    rows.push({ list: name, 'p50 ms': at(0.5).toFixed(1), 'p95 ms': at(0.95).toFixed(1) })
  }
  console.log(`\n${title}`)
  console.table(rows)
}

/** Measures the list of products of a tenant that `scripts/seed-bulk.ts` has filled. */
export async function measureProductList(store: BenchStore, tenant: string): Promise<void> {
  const { call, cursorAt } = await openConsole(store, tenant)
  const { items } = (await call('/admin/products?size=1&sort=OLDEST')).answer
  const [{ code = '', title = '' } = {}] = items
  const { tags = [], categoryIds: [categoryId] = [] } = (await call(`/admin/products/${code}`)).answer
  const lists = [
    ['latest', ''],
    ['page 100', `cursor=${await cursorAt('/products', 25)}`],
    ['oldest', 'sort=OLDEST'],
    ['by title', 'sort=TITLE'],
    ['by price', 'sort=PRICE_HIGH'],
    ['by title, page 100', `sort=TITLE&cursor=${await cursorAt('/products', 25, 'sort=TITLE')}`],
    ['by price, page 100', `sort=PRICE_LOW&cursor=${await cursorAt('/products', 25, 'sort=PRICE_LOW')}`],
    ['on sale, by title', 'state=ON_SALE&sort=TITLE'],
    ['without a price, by title', 'lacks=PRICE&sort=TITLE'],
    ['of a kind', 'kind=VOD'],
    ['of a category', `categoryId=${categoryId}`],
    ['of a tag, by title', `tag=${encodeURIComponent(tags[0] ?? '')}&sort=TITLE`],
    ['without a price', 'lacks=PRICE'],
    ['without a description', 'lacks=DESCRIPTION'],
    ['on sale later', 'state=SCHEDULED'],
    ['by a code', `q=${code}`],
    ['by a title', `q=${encodeURIComponent(title)}`],
    ['by a common part of titles', `q=${encodeURIComponent(title.slice(0, 3))}`],
    ['by a common part of titles, by title', `q=${encodeURIComponent(title.slice(0, 3))}&sort=TITLE`],
    ['by a part, no hit', 'q=nobody-has-this'],
  ].map(([name, query]) => [`products, ${name}`, `/products?${query}`] as const)
  await measureLists(`The console's products in ${tenant}`, call, lists)
}

/** Measures the lists of orders, members and comments of a new tenant, and prints a table. */
export async function measureConsoleLists(
  store: BenchStore,
  { orders, members }: { orders: number; members: number },
): Promise<void> {
  const tenant = 'bench-lists'
  await seed(store, tenant, { products: 1_000, members, orders, comments: 20_000 })
  const { call, cursorAt } = await openConsole(store, tenant)
  const productOfOrders = (await call('/analytics/titles?days=1830&size=1')).answer.items[0]?.code
  const email = (await call('/admin/members?size=1')).answer.items[0]?.email ?? ''
  const { memberId, product } = (await call('/admin/comments/all?size=1')).answer.items[0] ?? {}
  await measureLists(
    `The console at ${orders.toLocaleString('en')} orders and ${members.toLocaleString('en')} members`,
    call,
    [
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
    ],
  )
}

if (import.meta.main) {
  using store = await startStore()
  await measureConsoleLists(store, { orders: option('orders', 100_000), members: option('members', 50_000) })
  await seed(store, 'bench-products', { products: option('products', 100_000) })
  await measureProductList(store, 'bench-products')
  printFigures()
}
