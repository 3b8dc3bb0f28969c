import { createInterface } from 'node:readline'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'

/** What the process serves, and who sends requests to it. */
export interface LoadPlan {
  databaseUrl: string
  /** The path of a store’s API. */
  base: string
  email: string
  password: string
}

/** How many requests were answered, and the first ones that were refused. */
export interface LoadNumbers {
  requests: number
  failures: string[]
}

const plan = JSON.parse(process.argv[2] ?? '{}') as LoadPlan

const deps = createDeps({
  databaseUrl: plan.databaseUrl,
  secret: 'a-secret-for-tests-that-is-long-enough',
  config: {
    production: true,
    dataFolder: '/nonexistent',
    logLevel: 'silent',
    databasePoolSize: 24,
    publicUrl: null,
    trustedProxies: [],
    demo: true,
  },
})
const api = createApi(deps)

let token: string | undefined
let requests = 0
const failures: string[] = []

const send = async (path: string, json?: unknown) => {
  const headers = {
    'idempotency-key': crypto.randomUUID(),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
  }
  const init = json === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(json) }
  const response = await api.fetch(new Request(`http://store.test${plan.base}${path}`, init))
  const text = await response.text()
  requests++
  if (!response.ok) failures.push(`${path} ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

token = (await send('/login', { email: plan.email, password: plan.password })).token
const { order } = await send('/site-settings')
const { items } = await send('/new-search?size=24')
const products: { productId: string; optionId: string }[] = []
for (const { id } of items) {
  const { access, options } = await send(`/new-products/${id}`)
  if (access === 'PURCHASE') products.push({ productId: id, optionId: options[0].id })
}

let isOver = false
const inTurn = (turn: number) => products[turn % products.length] as (typeof products)[number]
const clients = [
  (turn: number) => send(`/new-search?size=24&page=${1 + (turn % 2)}`),
  (turn: number) => send(`/new-products/${inTurn(turn).productId}`),
  () => send('/me'),
  (turn: number) => send(`/products/${inTurn(turn).productId}/like`, { liked: turn % 3 > 0 }),
  (turn: number) =>
    turn % 20 === 0 && turn / 20 < products.length
      ? send('/orders', { buyNow: inTurn(turn / 20), refundPolicyVersion: order.refundPolicy.version })
      : send('/orders'),
].map(async (client) => {
  for (let turn = 0; !isOver; turn++) await client(turn)
})
const tell = () => console.log(JSON.stringify({ requests, failures: failures.slice(0, 5) } satisfies LoadNumbers))
tell()
// Each line asks for the numbers so far; the end of the input ends the process.
for await (const _ of createInterface({ input: process.stdin })) tell()
isOver = true
await Promise.all(clients)
tell()
await deps[Symbol.asyncDispose]()
