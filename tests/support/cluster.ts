import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { distribute, prepareDatabase } from '#api/platform/db/migrate.ts'
import { clusterScript } from '../../scripts/cluster-tests.ts'
import { freePort } from './free-port.ts'
import type { TestDatabase } from './pgbouncer.ts'

const run = promisify(execFile)

/** PostgreSQL refuses to run as root. */
const runAs = 'runuser'

/** Few parts, because the databases of tests have few stores. */
const shards = 4

export interface TestCluster {
  /** The owner's addresses of a database at the coordinator and at each worker. */
  nodes: string[]
}

/** Runs the program. `folder` holds the data of all nodes. */
const runCluster = (word: 'build' | 'up' | 'down', folder: string, port: number, workers = 2) =>
  run('bash', [clusterScript, word, ...(word === 'build' ? [] : [folder, String(workers)])], {
    env: { ...process.env, CLUSTER_PORT: String(port) },
    cwd: '/',
    maxBuffer: 64_000_000,
  })

/** Finds ports that follow one another: from CLUSTER_PORT on, or anywhere. */
const freePorts = async (count: number): Promise<number> => {
  const { CLUSTER_PORT: lowest } = process.env
  for (let first = Number(lowest ?? (await freePort())); ; first = lowest ? first + count : await freePort())
    if (await arePortsFree(first, count)) return first
}

const arePortsFree = async (first: number, count: number) => {
  const { createServer } = await import('node:net')
  for (let port = first; port < first + count; port++) {
    const server = createServer()
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    await new Promise((closed) => server.close(closed))
    if (!isFree) return false
  }
  return true
}

const onServer = async (url: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const at = (url: string, database: string) => {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** Makes a database of a cluster on one node. */
export const createNodeDatabase = async (node: string, name: string): Promise<void> => {
  await onServer(node, `CREATE DATABASE ${name}`)
  await onServer(at(node, name), 'CREATE EXTENSION citus')
}

/** Makes a database on all nodes that has no tables yet. Returns the owner's address. */
export const createClusterDatabase = async ({ nodes }: TestCluster, name: string): Promise<string> => {
  for (const node of nodes) await createNodeDatabase(node, name)
  const [coordinator = '', ...workers] = nodes
  const host = (url: string) => `'127.0.0.1', ${new URL(url).port}`
  await onServer(
    at(coordinator, name),
    `SELECT citus_set_coordinator_host(${host(coordinator)})`,
    ...workers.map((worker) => `SELECT citus_add_node(${host(worker)})`),
  )
  return at(coordinator, name)
}

/**
 * Gives a database of all nodes to a role that is no superuser, as the guide creates the owner.
 * Returns its address.
 */
export const withPlainOwner = async ({ nodes }: TestCluster, name: string): Promise<string> => {
  for (const node of nodes)
    await onServer(
      at(node, 'postgres'),
      `DO $$ BEGIN CREATE ROLE plain_owner LOGIN PASSWORD 'owner' CREATEROLE; EXCEPTION WHEN duplicate_object THEN END $$`,
      `ALTER DATABASE ${name} OWNER TO plain_owner`,
    )
  return Object.assign(new URL(at(nodes[0] ?? '', name)), { username: 'plain_owner' }).href
}

/** Migrates a database of a cluster and distributes it. */
export const prepareDistributed = async (ownerUrl: string): Promise<TestDatabase> => {
  const url = await prepareDatabase({ ownerUrl })
  await distribute({ url, ownerUrl }, shards)
  return { url, ownerUrl }
}

/** Starts a cluster whose files are in a folder, which is removed when it is closed. */
export const startCluster = async (folder: string, { workers = 2 } = {}) => {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  await runCluster('build', folder, 0)
  const port = await freePorts(workers + 1)
  const { stdout } = await runCluster('up', folder, port, workers)
  const ownerUrl = stdout.trim().split('\n').at(-1) ?? ''
  const nodes = Array.from({ length: workers + 1 }, (_, place) => {
    const url = new URL(ownerUrl)
    url.port = String(port + place)
    return url.href
  })
  return {
    ownerUrl,
    cluster: { nodes },
    /** Stops or starts one node, of which 0 is the coordinator. */
    control: (word: 'stop' | 'start', node: number) => {
      const data = join(folder, `node${node}`)
      const how = word === 'stop' ? ['-m', 'immediate'] : ['-l', `${data}.log`]
      const program = ['-u', 'postgres', '--', '/usr/lib/postgresql/15/bin/pg_ctl', '-D', data, '-w', ...how, word]
      // The server would hold our output open.
      return new Promise<void>((done, fail) => {
        const child = spawn(runAs, program, { stdio: 'ignore', cwd: '/' })
        child.once('error', fail).once('exit', (code) => (code === 0 ? done() : fail(new Error(`${word}: ${code}`))))
      })
    },
    close: async () => {
      await runCluster('down', folder, port, workers)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
