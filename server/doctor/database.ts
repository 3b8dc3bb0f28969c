import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#api/config.ts'
import type { Deps } from '#api/deps.ts'
import { isDiskFull } from '#api/platform/db/client.ts'
import { probeDatabaseDisk } from '#api/platform/db/connections.ts'
import {
  type DatabaseUrls,
  examineCluster,
  onClient,
  prepareDatabase,
  readSchemaState,
  schemaRefusals,
} from '#api/platform/db/migrate.ts'
import { asError, asSentence } from '#api/platform/log/log.ts'
import { isClockWrong } from '#api/platform/telemetry/telemetry.ts'
import { joinEmbeddedPostgres, openEmbeddedPostgres } from '../embedded-postgres.ts'
import { readServerFacts, readUnprotectedTables } from './doctor.queries.ts'
import { attempt, examine, type Finding, ok, wrong } from './finding.ts'

/** Opens the configured or the embedded database as it is: its schema is not migrated. */
export const openUnchanged = async ({
  database,
  dataFolder,
}: Pick<Config, 'database' | 'dataFolder'>): Promise<AsyncDisposable & { urls: DatabaseUrls }> => {
  if (database) return { urls: database, [Symbol.asyncDispose]: async () => {} }
  const folder = join(dataFolder, 'postgres')
  const embedded = (await joinEmbeddedPostgres(folder)) ?? (await openEmbeddedPostgres({ folder }))
  return { urls: { ownerUrl: embedded.ownerUrl }, [Symbol.asyncDispose]: () => embedded[Symbol.asyncDispose]() }
}

/** Returns the finding about the clock of this machine. `skew` is in milliseconds. */
export const judgeClock = (skew: number): Finding => {
  const seconds = Math.abs(skew) / 1000
  if (!isClockWrong(skew)) return ok('Clock', 'as the database’s')
  return wrong(
    'Clock',
    `The clock of this machine is ${Math.round(seconds)} seconds ${skew > 0 ? 'ahead of' : 'behind'} the database’s. Synchronize both, for example with systemd-timesyncd: sign-ins, links and payments depend on the time.`,
  )
}

const examineServer = (address: string) =>
  onClient(address, async (client) => {
    const begun = Date.now()
    const { version, now } = await readServerFacts(client)
    const middle = (begun + Date.now()) / 2
    const facts = [ok('Database', `PostgreSQL ${version} at ${new URL(address).host}`), judgeClock(middle - now)]
    return { facts, schema: await readSchemaState(client) }
  })

const lacksPolicies = (subject: string, tables: readonly string[]): Finding =>
  wrong(
    subject,
    `Row-level security is off or has no policy for ${tables.join(', ')}, so tenants could read each other’s rows. Restore the table from a backup, or its policy as the migrations define it.`,
  )

const examineWorkers = (url: string, ownerUrl: string): Promise<Finding[]> =>
  examine('Cluster', async () => {
    const nodes = await examineCluster({ url, ownerUrl })
    return (nodes ?? []).map(({ name, problem, unprotected }) => {
      const subject = `Worker ${name}`
      if (problem)
        return wrong(subject, `${asSentence(problem)} Run npm run cli -- cluster distribute once the worker is there.`)
      return unprotected.length > 0 ? lacksPolicies(subject, unprotected) : ok(subject, 'holds its part of the stores')
    })
  })

/** Checks that the disk of the database has space for what is written. */
export const examineDatabaseDisk = ({ url, ownerUrl }: DatabaseUrls): Promise<Finding[]> =>
  examine('Database disk', async () => {
    try {
      await onClient(ownerUrl ?? url ?? '', probeDatabaseDisk)
      return [ok('Database disk', 'has space for what is written')]
    } catch (error) {
      if (!isDiskFull(error)) throw error
      return [
        wrong(
          'Database disk',
          'The disk of the database is full: it refuses what is written. Free space on it or make it larger; nothing needs a restart.',
        ),
      ]
    }
  })

/**
 * Checks the server, the schema and the roles. The URL to serve requests with is null if
 * something in the way was found.
 */
export const examineDatabase = async (urls: DatabaseUrls): Promise<{ findings: Finding[]; url: string | null }> => {
  const server = await attempt('Database', () => examineServer(urls.ownerUrl ?? urls.url ?? ''))
  if (server.failure) return { findings: [server.failure], url: null }
  const { facts, schema } = server.value
  if (schema !== 'CURRENT') return { findings: [...facts, wrong('Schema', schemaRefusals[schema])], url: null }
  const roles = await attempt('Roles', () => prepareDatabase(urls))
  const role = roles.failure ?? ok('Roles', `${new URL(roles.value).username} serves requests and owns no tables`)
  const disk = await examineDatabaseDisk(urls)
  const nodes = roles.failure || !urls.ownerUrl ? [] : await examineWorkers(roles.value, urls.ownerUrl)
  return { findings: [...facts, ok('Schema', 'of this version'), role, ...disk, ...nodes], url: roles.value }
}

/** Checks that the database separates tenants. */
export const examineTenancy = (pool: pg.Pool): Promise<Finding[]> =>
  examine('Tenants', async () => {
    const { tables, unprotected } = await readUnprotectedTables(pool)
    if (unprotected.length === 0) return [ok('Tenants', `row-level security separates them in ${tables} tables`)]
    return [lacksPolicies('Tenants', unprotected)]
  })

/** Checks that a replica follows the database. */
export const examineReplica = ({ replica }: Pick<Deps, 'replica'>): Promise<Finding[]> =>
  examine('Replica', async () => {
    if (!replica) return []
    try {
      await replica.check()
      return [ok('Replica', `${(replica.lag() ?? 0).toFixed(1)} seconds behind`)]
    } catch (error) {
      return [
        wrong(
          'Replica',
          `The replica of DATABASE_REPLICA_URL is left out: ${asSentence(asError(error).message)} Until it follows again, the primary answers alone.`,
        ),
      ]
    }
  })
