import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries, unprivilegedUser } from '#server/postgres-binaries.ts'
import { startServer, waitUntilReady } from '#server/postgres-server.ts'
import { appUrlOf, copyDatabaseTemplate } from './database-template.ts'
import { memoryFolder } from './memory-folder.ts'
import type { TestDatabase } from './pgbouncer.ts'

const run = promisify(execFile)

/** How a server stops: `fast` ends all connections, `immediate` is a crash. */
export type StopMode = 'fast' | 'immediate'

export interface OwnPostgres extends AsyncDisposable {
  addresses: TestDatabase
  /** The folder of the server's data. */
  cluster: string
  stop: (mode: StopMode) => Promise<void>
  /** Starts the server again at the same port with the same settings. */
  start: () => Promise<void>
}

/**
 * A migrated PostgreSQL of the test's own, which loses no committed data when it is stopped.
 *
 * @param given A folder for its files, which the caller removes; by default a new one
 */
export const startOwnPostgres = async (given?: string): Promise<OwnPostgres> => {
  const folder = given ?? (await mkdtemp(join(memoryFolder(), 'marquee-postgres-')))
  await chmod(folder, 0o755)
  await copyDatabaseTemplate(folder)
  const user = unprivilegedUser()
  const binaries = findBinaries(user, folder)
  const bin = dirname(binaries.postgres)
  const cluster = join(folder, 'cluster')
  const { pid, port } = await startServer(binaries, { cluster, folder, user, durable: true, maxConnections: 100 })
  const password = await readFile(join(folder, 'password'), 'utf8')
  const ownerUrl = `postgres://marquee_owner:${password}@127.0.0.1:${port}/postgres`
  await waitUntilReady(ownerUrl, pid, folder)
  const stop = async (mode: StopMode) => {
    await run(join(bin, 'pg_ctl'), ['stop', '-D', cluster, '-w', '-m', mode], { ...user, cwd: '/' })
  }
  return {
    addresses: { ownerUrl, url: await appUrlOf(folder, ownerUrl) },
    cluster,
    stop,
    start: async () => {
      const log = join(cluster, 'restart.log')
      // `restart` takes the options of the last start. The server would hold our output open.
      const args = ['restart', '-D', cluster, '-w', '-s', '-l', log]
      const child = execFile(join(bin, 'pg_ctl'), args, { ...user, cwd: '/' })
      let refusal = ''
      child.stderr?.on('data', (part) => (refusal += part))
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`PostgreSQL did not start again: ${refusal}${await readFile(log, 'utf8')}`)
    },
    [Symbol.asyncDispose]: async () => {
      await stop('immediate').catch(() => {})
      if (!given) await rm(folder, { recursive: true, force: true })
    },
  }
}
