import { type ChildProcess, fork } from 'node:child_process'
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
  read: (kind: 'statements' | 'memory') => Promise<Reading>
}

/**
 * The store with its demo content as in production, on loopback, in a process of its own; built
 * first where the build is stale.
 */
export async function startStore(given: NodeJS.ProcessEnv = {}): Promise<BenchStore> {
  const data = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  // The database may run as another user.
  chmodSync(data, 0o755)
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
  const child = fork('server/launch.js', ['demo'], {
    env,
    // The settings of `npm start`, and what the measurements need.
    execArgv: [
      '--max-semi-space-size=16',
      '--heap-growing-percent=70',
      '--expose-gc',
      '--import',
      './tests/bench/gauge.ts',
    ],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  child.once('exit', () => rmSync(data, { recursive: true, force: true }))
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
  await ready(child, () => get('aurora', '/readyz'))
  return {
    port,
    env,
    get,
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
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The store was not ready within three minutes.')
}

/** A number given as `--name 123`. */
export function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1]) || fallback
}
