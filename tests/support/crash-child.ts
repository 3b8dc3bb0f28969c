import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import pg from 'pg'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'
import { runTask } from '#api/worker.ts'

/** What the process does. */
export interface CrashPlan {
  databaseUrl: string
  jobsDatabaseUrl?: string | undefined
  secret: string
  /** Milliseconds the store's time is ahead. */
  ahead: number
  /** They run side by side. */
  runs: readonly CrashRun[]
}

/** Requests to the API and tasks of the background work, and where the process is killed. */
export interface CrashRun {
  /** Before or after which of its commits the run is killed, counted from 1; 0 is never. */
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

interface RunState {
  killAt: number
  /** Kill points it has passed or reached. */
  killPoints: number
}

const states = plan.runs.map(({ killAt }): RunState => ({ killAt, killPoints: 0 }))
const currentRun = new AsyncLocalStorage<RunState>()
let running = states.length

/** Called when a run has ended or reached its kill point. The last one ends the process. */
const leave = () => {
  running--
  if (running > 0) return
  writeSync(1, JSON.stringify(states.map(({ killPoints }) => killPoints)))
  if (states.some(({ killAt }) => killAt > 0)) process.kill(process.pid, 'SIGKILL')
}

const isStopped = ({ killAt, killPoints }: RunState) => killAt > 0 && killPoints >= killAt
const never = new Promise<never>(() => {})

/** A run that has reached its kill point sends nothing more to the database until the kill. */
const passKillPoint = (run: RunState) => {
  if (isStopped(run)) return never
  run.killPoints++
  if (!isStopped(run)) return
  leave()
  return never
}

/** The connections whose transaction cannot write. */
const readOnly = new WeakSet<pg.Client>()

/** Whether the statement commits what a run has written. */
const commitsWrites = (client: pg.Client, statement: unknown) => {
  if (typeof statement === 'string' && statement.startsWith('BEGIN'))
    readOnly[/^BEGIN[^;]* READ ONLY/.test(statement) ? 'add' : 'delete'](client)
  return statement === 'COMMIT' && !readOnly.has(client)
}

// Every commit of a write has two kill points: right before it, and right after it, before its
// caller resumes. A transaction that reads leaves nothing, and when a shared one ends depends on
// how busy the machine is: with kill points, runs of one scenario would have different numbers.
const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    const run = currentRun.getStore()
    if (!run) return query.apply(this, given)
    if (isStopped(run)) return never
    if (!commitsWrites(this, given[0])) return query.apply(this, given)
    const commit = async () => {
      await passKillPoint(run)
      const answer = await query.apply(this, given)
      await passKillPoint(run)
      return answer
    }
    return commit()
  },
})

const deps = createDeps({
  databaseUrl: plan.databaseUrl,
  jobsDatabaseUrl: plan.jobsDatabaseUrl,
  secret: plan.secret,
  config: {
    production: true,
    dataFolder: '/nonexistent',
    logLevel: 'silent',
    databasePoolSize: 24,
    publicUrl: null,
    trustedProxies: [],
    demo: true,
  },
  clock: { now: () => new Date(Date.now() + plan.ahead) },
})
const api = createApi(deps)

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

const runSteps = async (steps: readonly CrashStep[]) => {
  const saved: Record<string, string> = {}
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => saved[name] ?? whole)
  for (const step of steps) {
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
}

await Promise.all(
  plan.runs.map(({ steps }, number) =>
    currentRun.run(states[number] as RunState, async () => {
      await runSteps(steps)
      if (!isStopped(states[number] as RunState)) leave()
    }),
  ),
)
await deps[Symbol.asyncDispose]()
