import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildWhatIsStale } from '#server/build.ts'
import { processEnvironment, quickCommandOf } from '#tests/support/command.ts'
import { freePort, freePortPair } from '#tests/support/free-port.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { eventually } from '../support/eventually.ts'

const isTried = process.platform === 'linux'
const folder = mkdtempSync(join(tmpdir(), 'marquee-processes-'))
const ended: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of ended) await stop()
  rmSync(folder, { recursive: true, force: true })
})

const host = 'films.example.com'
let port: number
let metricsPort: number
let supervisor: number
let productId: string
let output = ''

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
/** The ids of the processes by their roles, from the environment of each. */
const processes = () =>
  Object.fromEntries(
    childrenOf(supervisor).flatMap((pid) => {
      try {
        const role = /MARQUEE_PROCESS=([\w-]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1]
        return role ? [[role, pid]] : []
      } catch {
        return []
      }
    }),
  ) as Record<string, number>

beforeAll(async () => {
  if (!isTried) return
  await buildWhatIsStale()
  const database = await ownDatabase()
  const run = quickCommandOf({ deps: { dataFolder: folder } }, { database })
  const store = ['--code', 'acme', '--name', 'Acme', '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
  await run(['customer', 'create', ...store, '--host', host])
  await run(['catalog', 'import', 'docs/example-store', '-c', 'acme'])
  await run(['customer', 'open', 'acme', '--force'])
  port = await freePort()
  metricsPort = await freePortPair()
  const env = {
    ...processEnvironment(),
    PORT: String(port),
    MARQUEE_DATA: folder,
    DATABASE_OWNER_URL: database.ownerUrl,
    MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
    WEB_CONCURRENCY: '2',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'info',
  }
  const child = spawn(process.execPath, ['server/launch.js', 'service'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part))
  ended.push(async () => {
    child.kill('SIGTERM')
    await exit
  })
  supervisor = child.pid!
  await vi.waitFor(() => expect(output).toContain('All processes are ready'), { timeout: 90_000, interval: 100 })
  const products = await fetch(`http://127.0.0.1:${port}/api/v1/customers/acme/new-search`)
  const answer = await products.json()
  productId = answer.items?.[0]?.id ?? expect.fail(JSON.stringify(answer))
}, 150_000)

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/**
 * A read of the list, or a write that counts a view. Resolves to the status, or to why it
 * failed.
 */
const ask = (isWrite: boolean) =>
  new Promise<number | string>((resolve) => {
    const path = `/api/v1/customers/acme/${isWrite ? `products/${productId}/views` : 'new-search'}`
    const call = send({ host: '127.0.0.1', port, path, method: isWrite ? 'POST' : 'GET', agent, headers: { host } })
    call.setTimeout(10_000, () => call.destroy(new Error('no answer')))
    call.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)))
    call.once('error', ({ message }) => resolve(message))
    call.end()
  })

/** Sends reads and writes, eight at a time, until `during` has ended and for some more. */
const underLoad = async (during: () => Promise<unknown>) => {
  let isOver = false
  const statuses: (number | string)[] = []
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let more = 20; more > 0; more -= Number(isOver)) statuses.push(await ask(client % 2 === 0))
  })
  await eventually(() => expect(statuses.length).toBeGreaterThan(50))
  await during().finally(() => {
    isOver = true
  })
  await Promise.all(clients)
  return statuses
}
/** A view may be one too many of this address. */
const failuresOf = (statuses: (number | string)[]) =>
  statuses.filter((one) => typeof one === 'string' || (one >= 400 && one !== 429))

/** Sends a signal, and waits until the log has a line. */
const signal = async (pid: number | undefined, name: NodeJS.Signals, line: string) => {
  output = ''
  process.kill(pid ?? expect.fail('There is no such process'), name)
  // Without the thousands of requests, a failure shows what the processes said.
  const log = () => output.split('\n').filter((one) => !one.includes('"msg":"Request"'))
  await vi.waitFor(() => expect(log().join('\n')).toContain(line), { timeout: 60_000, interval: 50 })
}

test.runIf(isTried)('two processes serve, one works, and each that serves has metrics of its own', async () => {
  expect(Object.keys(processes()).sort()).toEqual(['serve-1', 'serve-2', 'worker'])
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  const scrapes = [metricsPort, metricsPort + 1].map(async (at) =>
    (await fetch(`http://127.0.0.1:${at}/metrics`)).text(),
  )
  for (const text of await Promise.all(scrapes)) expect(text).toContain('process_uptime')
})

test.runIf(isTried)(
  'a killed process fails only the requests that it works on, and is replaced',
  async () => {
    const { 'serve-1': pid = 0 } = processes()
    const statuses = await underLoad(() => signal(pid, 'SIGKILL', 'A process was replaced'))
    // Eight requests are sent at a time.
    expect(failuresOf(statuses).length).toBeLessThanOrEqual(8)
    expect(statuses.length).toBeGreaterThan(200)
  },
  90_000,
)

test.runIf(isTried)(
  'no read or write fails while a process stops, and while all are replaced',
  async () => {
    const before = processes()
    const stopped = await underLoad(() => signal(before['serve-2'], 'SIGTERM', 'A process was replaced'))
    expect(failuresOf(stopped)).toEqual([])
    const restarted = await underLoad(() => signal(supervisor, 'SIGHUP', 'All processes were replaced'))
    expect(failuresOf(restarted)).toEqual([])
    const now = processes()
    for (const [role, pid] of Object.entries(before)) expect(now[role]).not.toBe(pid)
  },
  120_000,
)
