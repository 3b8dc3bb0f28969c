import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '#api/platform/log/log.ts'
import { makeFolder, requireOwner, requireWritable } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import {
  findBinaries,
  isPublicPath,
  type OtherUser,
  type PostgresBinaries,
  publicFolder,
  unprivilegedUser,
} from './postgres-binaries.ts'
import { runningServer, type Server, startServer, stopServer, waitUntilReady, watchServer } from './postgres-server.ts'

export interface EmbeddedPostgres extends AsyncDisposable {
  /** Connects as the owner of all tables: for migrations, never for requests. */
  ownerUrl: string
}

export interface EmbeddedPostgresOptions {
  folder: string
  onProgress?: (doing: string) => void
  /** False only in tests, where data need not survive a power loss. */
  durable?: boolean
  /** How many connections the server takes. A server that runs already keeps its number. */
  maxConnections?: number
}

const run = promisify(execFile)

/**
 * Opens an embedded PostgreSQL in `folder`. Creates it on first use, starts it on 127.0.0.1 with a
 * private port and password, starts it again where it ends, and stops it when disposed. One process
 * owns a folder. A server whose owner was killed is found and reused.
 */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { durable = true, maxConnections = 100 } = options
  const folder = resolve(options.folder)
  await makeFolder(folder)
  const user = unprivilegedUser()
  const cluster = placeOfCluster(folder, user)
  await requireOwner(folder, cluster, user)
  await using opened = new AsyncDisposableStack()
  opened.use(await lockFolder(folder))

  const binaries = findBinaries(user, folder)
  const password = await readPassword(folder)

  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    options.onProgress?.('Creating the database')
    await initialise(binaries, cluster, password, user, durable)
  }
  const clusterVersion = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (clusterVersion !== binaries.major)
    throw new OperatorError(
      `The database in ${folder} was created by PostgreSQL ${clusterVersion}, but this version of Marquee uses PostgreSQL ${binaries.major}. Move the folder, or use the older version of Marquee.`,
    )

  const serverOptions = { cluster, folder, user, durable, maxConnections }
  const server = (await runningServer(cluster)) ?? (await startServer(binaries, serverOptions))
  opened.use(watchServer(server, (port) => startServer(binaries, { ...serverOptions, port })))
  const ownerUrl = ownerUrlOf(password, server)
  await waitUntilReady(ownerUrl, server.pid, folder)

  const closing = opened.move()
  return { ownerUrl, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/**
 * Returns the server that another process runs in `folder`, for tools beside it; null when none
 * runs.
 */
export const joinEmbeddedPostgres = async (folder: string): Promise<EmbeddedPostgres | null> => {
  const path = resolve(folder)
  const password = await readFile(join(path, 'password'), 'utf8').catch(() => null)
  const server = password ? await runningServer(placeOfCluster(path, unprivilegedUser())) : null
  if (!server) return null
  return { ownerUrl: ownerUrlOf(password ?? '', server), [Symbol.asyncDispose]: async () => {} }
}

const ownerUrlOf = (password: string, { port }: Server) =>
  `postgres://marquee_owner:${password}@127.0.0.1:${port}/postgres`

/**
 * The cluster is in the folder itself, unless PostgreSQL runs as a user without access to it (a
 * folder below /root, for example).
 */
const placeOfCluster = (folder: string, user: OtherUser | null) =>
  user && !isPublicPath(join(folder, 'cluster'))
    ? join(publicFolder('clusters'), createHash('sha256').update(folder).digest('hex').slice(0, 16))
    : join(folder, 'cluster')

/** Whether a database exists in `folder`, running or not. */
export const embeddedPostgresExists = (folder: string) =>
  existsSync(join(placeOfCluster(resolve(folder), unprivilegedUser()), 'PG_VERSION'))

/**
 * Deletes a folder's database.
 *
 * @throws OperatorError while another process uses it
 */
export const removeEmbeddedPostgres = async (folder: string) => {
  if (!existsSync(folder)) return
  await requireWritable(resolve(folder))
  await using _owned = await lockFolder(resolve(folder))
  const cluster = placeOfCluster(resolve(folder), unprivilegedUser())
  const running = existsSync(cluster) ? await runningServer(cluster) : null
  if (running) await stopServer(running.pid)
  await rm(cluster, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

const readPassword = async (folder: string) => {
  const path = join(folder, 'password')
  const stored = await readFile(path, 'utf8').catch(() => null)
  if (stored) return stored
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
  // Created under a temporary name and renamed when complete, so that an interrupted creation is
  // never used.
  const unfinished = `${cluster}.making`
  const passwordFile = `${cluster}.pw`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [unfinished, passwordFile]) await chown(path, user.uid, user.gid)
  await chmod(unfinished, 0o700)
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        '--username=marquee_owner',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...user, cwd: '/' },
    )
    await rename(unfinished, cluster)
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? error.stderr : error
    const message = String(output ?? error).trim()
    throw new OperatorError(`The database could not be created in ${cluster}: ${message.split('\n').at(-1)}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
}
