import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { StartupError } from '#api/startup-error.ts'
import { isAlive, lockFolder } from './folder-lock.ts'
import {
  findBinaries,
  isReachable,
  type OtherUser,
  type PostgresBinaries,
  publicFolder,
  unprivilegedUser,
} from './postgres-binaries.ts'

export interface EmbeddedPostgres extends AsyncDisposable {
  /** Connects as the owner of everything: for migrations, never for requests. */
  ownerUrl: string
}

export interface EmbeddedPostgresOptions {
  folder: string
  onProgress?: (doing: string) => void
  /** False only in tests: nothing has to survive a power loss. */
  durable?: boolean
}

const bytesNeeded = 500 * 1024 * 1024
const run = promisify(execFile)

/**
 * A real PostgreSQL of our own in `folder`: made on first use, started on 127.0.0.1 with a port and a password nobody else knows, and
 * stopped when disposed. One process owns a folder; a server whose owner was killed is found again and taken over.
 */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const folder = resolve(options.folder)
  await makeFolder(folder)
  await using opened = new AsyncDisposableStack()
  opened.use(await lockFolder(folder))

  const user = unprivilegedUser()
  const binaries = findBinaries(user, folder)
  const cluster = placeOfCluster(folder, user)
  const password = await readPassword(folder)

  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    options.onProgress?.('Making the database')
    await initialise(binaries, cluster, password, user, options.durable ?? true)
  }
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (found !== binaries.major)
    throw new StartupError(
      `The database in ${folder} was made by PostgreSQL ${found}, but this Marquee brings PostgreSQL ${binaries.major}: move that folder away, or open it with the older Marquee.`,
    )

  const server =
    (await runningServer(cluster)) ?? (await start(binaries, cluster, folder, user, options.durable ?? true))
  opened.defer(() => stop(server.pid))
  const ownerUrl = ownerUrlOf(password, server)
  await waitUntilReady(ownerUrl, server.pid, folder)

  const closing = opened.move()
  return { ownerUrl, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** The server another process of ours runs in `folder`, for a tool that works beside it; null when none runs. */
export const joinEmbeddedPostgres = async (folder: string): Promise<EmbeddedPostgres | null> => {
  const path = resolve(folder)
  const password = await readFile(join(path, 'password'), 'utf8').catch(() => null)
  const server = password ? await runningServer(placeOfCluster(path, unprivilegedUser())) : null
  if (!server) return null
  return { ownerUrl: ownerUrlOf(password ?? '', server), [Symbol.asyncDispose]: async () => {} }
}

const ownerUrlOf = (password: string, { port }: Server) =>
  `postgres://marquee_owner:${password}@127.0.0.1:${port}/postgres`

/** One folder after the other: Node's own recursive mkdir never ends on a file system that makes no folders, such as /proc. */
const makeEach = async (folder: string) => {
  if (existsSync(folder)) return
  await makeEach(dirname(folder))
  await mkdir(folder, { mode: 0o755 })
}

const makeFolder = async (folder: string) => {
  try {
    await makeEach(folder)
    await writeFile(join(folder, '.write-test'), '')
    await rm(join(folder, '.write-test'))
  } catch (error) {
    throw new StartupError(
      `The folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with MARQUEE_DATA.`,
    )
  }
  const disk = await statfs(folder)
  if (!existsSync(join(folder, 'cluster')) && disk.bavail * disk.bsize < bytesNeeded)
    throw new StartupError(
      `The disk of ${folder} has ${Math.floor((disk.bavail * disk.bsize) / 1024 / 1024)} MB left; the database needs 500 MB to begin with.`,
    )
}

/** In the folder itself, unless PostgreSQL runs as a user who cannot get there (a folder below /root, say). */
const placeOfCluster = (folder: string, user: OtherUser | null) =>
  user && !isReachable(join(folder, 'cluster'))
    ? join(publicFolder('clusters'), createHash('sha256').update(folder).digest('hex').slice(0, 16))
    : join(folder, 'cluster')

/** Removes a folder's database, for beginning again; refuses while another process of ours serves from it. */
export const removeEmbeddedPostgres = async (folder: string) => {
  if (!existsSync(folder)) return
  await using _owned = await lockFolder(resolve(folder))
  const cluster = placeOfCluster(resolve(folder), unprivilegedUser())
  const running = existsSync(cluster) ? await runningServer(cluster) : null
  if (running) await stop(running.pid)
  await rm(cluster, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

const readPassword = async (folder: string) => {
  const path = join(folder, 'password')
  const kept = await readFile(path, 'utf8').catch(() => null)
  if (kept) return kept
  const password = randomBytes(24).toString('base64url')
  await writeFile(path, password, { mode: 0o600 })
  return password
}

const initialise = async (
  binaries: PostgresBinaries,
  cluster: string,
  password: string,
  user: OtherUser | null,
  durable: boolean,
) => {
  // Made aside and renamed when complete, so that an interrupted beginning is never taken for a database.
  const making = `${cluster}.making`
  const passwordFile = `${cluster}.pw`
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [making, passwordFile]) await chown(path, user.uid, user.gid)
  await chmod(making, 0o700)
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${making}`,
        '--username=marquee_owner',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...user, cwd: '/' },
    )
    await rename(making, cluster)
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? error).trim()
    throw new StartupError(`The database could not be made in ${cluster}: ${said.split('\n').at(-1)}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

interface Server {
  pid: number
  port: number
}

/** The server that already runs on this cluster, by PostgreSQL's own note of it. */
const runningServer = async (cluster: string): Promise<Server | null> => {
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

const start = async (
  binaries: PostgresBinaries,
  cluster: string,
  folder: string,
  user: OtherUser | null,
  durable: boolean,
): Promise<Server> => {
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    random_page_cost: '1.1',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const log = openSync(join(folder, 'postgres.log'), 'w', 0o600)
  // A session of its own: Ctrl-C reaches us alone, and we stop it after the last request.
  const child = spawn(
    binaries.postgres,
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...user, cwd: '/', detached: true, stdio: ['ignore', log, log] },
  )
  await new Promise<void>((spawned, fail) => child.once('spawn', spawned).once('error', fail))
  child.unref()
  return { pid: child.pid ?? 0, port }
}

const waitUntilReady = async (url: string, pid: number, folder: string) => {
  const deadline = Date.now() + 60_000
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => {})
      const { code } = error as { code?: string }
      if (code === '28P01')
        throw new StartupError(`The password kept in ${folder} does not open its database: begin again with --fresh.`)
      if (!isAlive(pid) || Date.now() > deadline) {
        const log = await readFile(join(folder, 'postgres.log'), 'utf8').catch(() => '')
        throw new StartupError(`The database in ${folder} did not start: ${log.trim().split('\n').at(-1) ?? ''}`)
      }
    }
    await sleep(25)
  }
}

const stop = async (pid: number) => {
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(20)) if (!isAlive(pid)) return
  }
}
