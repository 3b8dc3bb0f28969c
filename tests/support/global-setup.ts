import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres, removeEmbeddedPostgres } from '#server/embedded-postgres.ts'
import type { TestCluster } from './cluster.ts'
import { appUrlOf, copyDatabaseTemplate } from './database-template.ts'
import { memoryFolder } from './memory-folder.ts'
import { findPgBouncer, startPgBouncer, type TestDatabase, throughPooler } from './pgbouncer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: TestDatabase
    /** The port of PgBouncer with TEST_PGBOUNCER=true; else null. */
    poolerPort: number | null
    /** The nodes with TEST_CLUSTER=true; else null. */
    cluster: TestCluster | null
  }
}

interface Database {
  addresses: TestDatabase
  poolerPort?: number
  cluster?: TestCluster
  close: () => Promise<void>
}

/**
 * Vitest runs this file once for each project: they share the database, which the last of them
 * closes.
 */
const shared: typeof globalThis & { marqueeTests?: { opening: Promise<Database>; projects: number } } = globalThis

/**
 * One PostgreSQL for the whole run: our own in a temporary folder, another version by
 * TEST_DATABASE_OWNER_URL, or a cluster with TEST_CLUSTER=true.
 */
export default async function setup(project: TestProject) {
  // Compiled code is cached for later processes: starting one then takes half the time.
  process.env.NODE_COMPILE_CACHE = resolve('node_modules/.cache/node-compiled')
  shared.marqueeTests ??= { opening: open(), projects: 0 }
  const run = shared.marqueeTests
  run.projects++
  const { addresses, poolerPort = null, cluster = null, close } = await run.opening
  project.provide('database', throughPooler(addresses, poolerPort))
  project.provide('poolerPort', poolerPort)
  project.provide('cluster', cluster)
  return async () => {
    if (--run.projects === 0) await close()
  }
}

const startRemover = (...given: string[]) => {
  const program = fileURLToPath(new URL('./remove-database.ts', import.meta.url))
  const remover = spawn(process.execPath, [program, ...given], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  remover.unref()
  return remover
}

const openCluster = async (run: string): Promise<Database> => {
  const { prepareDistributed, startCluster } = await import('./cluster.ts')
  const { clusterScript } = await import('../../scripts/cluster-tests.ts')
  const remover = startRemover(run, clusterScript)
  const { ownerUrl, cluster, close } = await startCluster(join(run, 'cluster'))
  return {
    addresses: await prepareDistributed(ownerUrl),
    cluster,
    close: async () => {
      remover.kill()
      await close()
      await rm(run, { recursive: true, force: true })
    },
  }
}

const open = async (): Promise<Database> => {
  const given = process.env.TEST_DATABASE_OWNER_URL
  if (given) {
    const { prepareDatabase } = await import('#api/platform/db/migrate.ts')
    const addresses = { ownerUrl: given, url: await prepareDatabase({ ownerUrl: given }) }
    return { addresses, close: async () => undefined }
  }
  const run = await mkdtemp(join(memoryFolder(), 'marquee-test-'))
  await chmod(run, 0o755)
  // The files that tests leave are removed with the run.
  process.env.TMPDIR = run
  if (process.env.TEST_CLUSTER === 'true') return openCluster(run)
  const folder = join(run, 'database')
  await mkdir(folder)
  await copyDatabaseTemplate(folder)
  const embedded = await openEmbeddedPostgres({ folder, durable: false, maxConnections: 150 })
  const { ownerUrl } = embedded
  const remover = startRemover(run)
  const close = async () => {
    remover.kill()
    await embedded[Symbol.asyncDispose]()
    await removeEmbeddedPostgres(folder)
    await rm(run, { recursive: true, force: true })
  }
  const addresses = { ownerUrl, url: await appUrlOf(folder, ownerUrl) }
  if (process.env.TEST_PGBOUNCER !== 'true') return { addresses, close }
  const command = await findPgBouncer()
  if (!command) throw new Error('TEST_PGBOUNCER=true needs PgBouncer.')
  // Databases of single files have connections of their own, which PostgreSQL has not many of.
  const settings = { server_idle_timeout: 2, default_pool_size: 16 }
  const bouncer = await startPgBouncer({ command, urls: [addresses.url], settings })
  return { addresses, poolerPort: bouncer.port, close: () => bouncer[Symbol.asyncDispose]().then(close) }
}
