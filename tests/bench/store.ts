import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#tests/support/free-port.ts'
import type { Reading } from './gauge.ts'

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface BenchStore extends Disposable {
  port: number
  /** What a tool of ours needs to work on the same data. */
  env: NodeJS.ProcessEnv
  /** Reads an address of a tenant's store; `fetch` does not allow a chosen host. */
  get: (tenant: string, path: string, headers?: Record<string, string>) => Promise<Answer>
  /**
   * User and system time of the process so far, in milliseconds, from the kernel's own book. The
   * database is not in it.
   */
  cpu: () => number
  /** The memory of the process in MB, with its share of what it has in common with others (PSS). */
  memory: () => number
  read: (kind: 'statements' | 'memory') => Promise<Reading>
  /** Milliseconds from the start of the process to its first page. */
  startedIn: number
  /** Ends the process, and waits for it. */
  stop: () => Promise<void>
}

interface StartOptions {
  /** The demo fills a new database, and builds what is stale. */
  program?: 'demo' | 'service'
  /** A folder of data that stays; by default a new one that is removed. */
  folder?: string
}

/** Creates an empty folder for the data of a store. */
export const createDataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  // The database may run as another user.
  chmodSync(folder, 0o755)
  return folder
}

/** The settings of `npm start`. */
const nodeOptions = ['--max-semi-space-size=8', '--heap-growing-percent=70']
/** What the measurements need. Loading TypeScript takes time and memory. */
const gaugeOptions = ['--expose-gc', '--import', './tests/bench/gauge.ts']

/**
 * The store with its demo content as in production, on loopback, in a process of its own; built
 * first where the build is stale.
 */
export async function startStore(
  given: NodeJS.ProcessEnv = {},
  { program = 'demo', folder }: StartOptions = {},
): Promise<BenchStore> {
  const data = folder ?? createDataFolder()
  const port = await freePort()
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    MARQUEE_DATA: data,
    LOG_LEVEL: 'error',
    MALLOC_ARENA_MAX: '2',
    ...given,
  }
  const begun = performance.now()
  const child = fork('server/launch.js', [program], {
    env,
    execArgv: program === 'demo' ? [...nodeOptions, ...gaugeOptions] : nodeOptions,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  if (!folder) child.once('exit', () => rmSync(data, { recursive: true, force: true }))
  // Shorter than the server's timeout for idle connections.
  const agent = new Agent({ keepAlive: true, timeout: 5_000 })
  const get: BenchStore['get'] = (tenant, path, headers = {}) =>
    new Promise((resolve, reject) => {
      const host = `${tenant}.localhost:${port}`
      const sent = request({ host: '127.0.0.1', port, path, agent, headers: { host, ...headers } })
      sent.once('error', reject)
      sent.once('response', async (response) => {
        const parts: Buffer[] = []
        for await (const part of response) parts.push(part)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
      })
      sent.end()
    })
  await ready(child, () => get('aurora', '/', { accept: 'text/html' }))
  return {
    port,
    env,
    get,
    startedIn: performance.now() - begun,
    stop: async () => {
      agent.destroy()
      stop()
      await ended
    },
    memory: () => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8'))?.[1]) / 1000,
    cpu: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    read: (kind) =>
      new Promise((resolve) => {
        child.once('message', (reading) => resolve(reading as Reading))
        child.send(kind)
      }),
    [Symbol.dispose]: () => {
      agent.destroy()
      stop()
    },
  }
}

async function ready(child: ChildProcess, ask: () => Promise<Answer>) {
  for (const deadline = Date.now() + 180_000; Date.now() < deadline; ) {
    const answer = await ask().catch(() => undefined)
    if (answer?.status === 200) return
    if (child.exitCode !== null) throw new Error('The store did not start.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The store was not ready within three minutes.')
}

/** A number given as `--name 123`. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1]) || fallback
}

/** The token of the demo's member. */
export async function memberToken({ port }: Pick<BenchStore, 'port'>): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/customers/aurora/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'member@example.com', password: 'marquee-demo' }),
  })
  return ((await answer.json()) as { token: string }).token
}
