import pg from 'pg'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'
import { runTask } from '#api/worker.ts'

/** What a process that may be killed is told to do: requests to the API, and chores of the background work. */
export interface CrashOrders {
  databaseUrl: string
  secret: string
  /** Milliseconds the store's time is ahead. */
  ahead: number
  /** Before or after which commit it is killed, counted from 1; 0 is never. */
  killAt: number
  steps: readonly CrashStep[]
}

export type CrashStep =
  | { do: 'chore'; customer: string; chore: string }
  /** `{name}` in a path or body stands for what an earlier step has kept under that name. */
  | {
      do: 'request'
      method: string
      path: string
      headers?: Record<string, string>
      json?: unknown
      form?: Record<string, string>
      /** Name → where in the JSON answer it is, `payment.id`. */
      keep?: Record<string, string>
    }

const orders = JSON.parse(process.argv[2] ?? '{}') as CrashOrders

let moments = 0
const moment = () => {
  moments++
  if (moments === orders.killAt) process.kill(process.pid, 'SIGKILL')
}

// Every transaction that holds is two moments: all but held, and held with nobody told.
const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    if (given[0] !== 'COMMIT') return query.apply(this, given)
    moment()
    return (query.apply(this, given) as Promise<unknown>).then((answer) => {
      moment()
      return answer
    })
  },
})

const deps = createDeps({
  databaseUrl: orders.databaseUrl,
  secret: orders.secret,
  config: {
    ...{ production: true, dataFolder: '/nonexistent', logLevel: 'silent', databasePoolSize: 4 },
    ...{ publicUrl: null, trustedProxies: [], demo: true },
  },
  clock: { now: () => new Date(Date.now() + orders.ahead) },
})
const api = createApi(deps)
const kept: Record<string, string> = {}
const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => kept[name] ?? whole)
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

for (const step of orders.steps) {
  if (step.do === 'chore') {
    await runTask(deps, api.fetch, step)
    continue
  }
  const { method, headers = {}, json, form, keep = {} } = step
  const response = await api.fetch(
    new Request(new URL(filled(step.path), 'http://store.test'), {
      method,
      headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(json === undefined ? {} : { body: filled(JSON.stringify(json)) }),
      ...(form ? { body: new URLSearchParams(JSON.parse(filled(JSON.stringify(form)))) } : {}),
    }),
  )
  const text = await response.text()
  if (response.status >= 400) throw new Error(`${method} ${step.path} answered ${response.status}: ${text}`)
  for (const [name, path] of Object.entries(keep)) kept[name] = String(at(JSON.parse(text), path))
}
process.stdout.write(JSON.stringify({ moments }))
await deps[Symbol.asyncDispose]()
