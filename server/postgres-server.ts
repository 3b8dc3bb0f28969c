import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '#api/platform/db/client.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { errorCode } from '#contract/safe-error.ts'
import { isAlive } from './folder-lock.ts'
import type { OtherUser, PostgresBinaries } from './postgres-binaries.ts'

export interface Server {
  pid: number
  port: number
}

/** Returns the server that runs on this cluster, from PostgreSQL's pid file. */
export const runningServer = async (cluster: string): Promise<Server | null> => {
  const note = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port] = note.split('\n')
  if (!pid || !port || !isAlive(Number(pid))) return null
  const command = await readFile(`/proc/${Number(pid)}/cmdline`, 'utf8').catch(() => 'postgres')
  return command.includes('postgres') ? { pid: Number(pid), port: Number(port) } : null
}

const freePort = () =>
  new Promise<number>((answer, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? answer(address.port) : fail(new Error('no port'))))
    })
  })

interface ServerOptions {
  /** The folder of the data. */
  cluster: string
  /** The folder of the log. */
  folder: string
  user: OtherUser | null
  durable: boolean
  maxConnections: number
  /** By default a free one. */
  port?: number
}

export const startServer = async (
  binaries: PostgresBinaries,
  { cluster, folder, user, durable, maxConnections, ...given }: ServerOptions,
): Promise<Server> => {
  const port = given.port ?? (await freePort())
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    random_page_cost: '1.1',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  // A server that is started again continues its log.
  const log = openSync(join(folder, 'postgres.log'), given.port ? 'a' : 'w', 0o600)
  // Runs in its own session, so that Ctrl-C reaches this process only. It stops the server after
  // the last request.
  const child = spawn(
    binaries.postgres,
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...user, cwd: '/', detached: true, stdio: ['ignore', log, log] },
  )
  await new Promise<void>((spawned, fail) => child.once('spawn', spawned).once('error', fail))
  child.unref()
  return { pid: child.pid ?? 0, port }
}

export const waitUntilReady = async (url: string, pid: number, folder: string) => {
  const deadline = performance.now() + 60_000
  for (;;) {
    const client = createClient({ connectionString: url, connectionTimeoutMillis: 2000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => {})
      const code = errorCode(error)
      if (code === '28P01')
        throw new OperatorError(
          `The password stored in ${folder} does not match its database. Start again with --fresh.`,
        )
      if (!isAlive(pid) || performance.now() > deadline) {
        const log = await readFile(join(folder, 'postgres.log'), 'utf8').catch(() => '')
        throw new OperatorError(`The database in ${folder} did not start: ${log.trim().split('\n').at(-1) ?? ''}`)
      }
    }
    await sleep(25)
  }
}

/** How often a server is looked at, and started again where it has ended. Milliseconds. */
const watchInterval = 1_000

/**
 * Starts a server again, at the same port, whenever it has ended: a full disk or a lack of memory
 * ends it.
 */
export const watchServer = (first: Server, start: (port: number) => Promise<Server>) => {
  let server = first
  let starting: Promise<void> | null = null
  const look = () => {
    if (isAlive(server.pid)) return
    starting ??= start(server.port)
      .then((next) => {
        server = next
      })
      // It is tried again.
      .catch(() => {})
      .finally(() => {
        starting = null
      })
  }
  const timer = setInterval(look, watchInterval)
  timer.unref()
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await starting
      await stopServer(server.pid)
    },
  }
}

export const stopServer = async (pid: number) => {
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (const until = performance.now() + seconds * 1000; performance.now() < until; await sleep(20))
      if (!isAlive(pid)) return
  }
}
