import pg from 'pg'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'
import { runTask } from '#api/worker.ts'

/**
 * What the process does: requests to the API and tasks of the background work, and where it is
 * killed.
 */
export interface CrashPlan {
  databaseUrl: string
  secret: string
  /** Milliseconds the store's time is ahead. */
  ahead: number
  /** Before or after which commit it is killed, counted from 1; 0 is never. */
  killAt: number
  steps: readonly CrashStep[]
}

export type CrashStep =
  | { do: 'task'; customer: string; task: string }
  /** `{name}` in a path or body stands for what an earlier step saved under that name. */
  | {
      do: 'request'
      method: string
      path: string
      headers?: Record<string, string>
      json?: unknown
      form?: Record<string, string>
      /** Name → where in the JSON answer it is, `payment.id`. */
      save?: Record<string, string>
    }

const plan = JSON.parse(process.argv[2] ?? '{}') as CrashPlan

let killPoints = 0
const passKillPoint = () => {
  killPoints++
  if (killPoints === plan.killAt) process.kill(process.pid, 'SIGKILL')
}

// Every commit has two kill points: right before it, and right after it, before its caller resumes.
const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    if (given[0] !== 'COMMIT') return query.apply(this, given)
    passKillPoint()
    return (query.apply(this, given) as Promise<unknown>).then((answer) => {
      passKillPoint()
      return answer
    })
  },
})

const deps = createDeps({
  databaseUrl: plan.databaseUrl,
  secret: plan.secret,
  config: {
    production: true,
    dataFolder: '/nonexistent',
    logLevel: 'silent',
    databasePoolSize: 4,
    publicUrl: null,
    trustedProxies: [],
    demo: true,
  },
  clock: { now: () => new Date(Date.now() + plan.ahead) },
})
const api = createApi(deps)
const saved: Record<string, string> = {}
const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => saved[name] ?? whole)
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

for (const step of plan.steps) {
  if (step.do === 'task') {
    await runTask(deps, api.fetch, step)
    continue
  }
  const { method, headers = {}, json, form, save = {} } = step
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
  for (const [name, path] of Object.entries(save)) saved[name] = String(at(JSON.parse(text), path))
}
process.stdout.write(JSON.stringify({ killPoints }))
await deps[Symbol.asyncDispose]()
