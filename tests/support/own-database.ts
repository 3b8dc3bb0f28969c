import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { createClusterDatabase, prepareDistributed } from './cluster.ts'
import { templateDatabase } from './database-template.ts'
import { type TestDatabase, throughPooler } from './pgbouncer.ts'

/**
 * A database of the file's own, for tests that workers of other files would disturb. It is removed
 * with the run's server.
 *
 * @param dump SQL that fills the database before its migrations run
 * @returns the addresses of the role that serves and of the owner
 */
export async function ownDatabase(dump?: string): Promise<TestDatabase> {
  const cluster = inject('cluster')
  if (cluster && !dump) return prepareDistributed(await createClusterDatabase(cluster, newName()))
  const copy = dump === undefined ? await copyMigrated() : null
  if (copy) return throughPooler(copy, inject('poolerPort'))
  const ownerUrl = await createDatabase(dump)
  return throughPooler({ url: await prepareDatabase({ ownerUrl }), ownerUrl }, inject('poolerPort'))
}

const newName = () => `own_${randomUUID().replaceAll('-', '')}`

/** Copies the migrated database of the run's own server, which other servers do not have. */
const copyMigrated = async (): Promise<TestDatabase | null> => {
  const { url, jobsUrl = url, ownerUrl } = inject('database')
  const admin = new pg.Client({ connectionString: ownerUrl })
  await admin.connect()
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [templateDatabase])
    if (!rowCount) return null
    const name = newName()
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`)
    return { url: new URL(name, jobsUrl).href, ownerUrl: new URL(name, ownerUrl).href }
  } finally {
    await admin.end()
  }
}

/** Creates a database and fills it by SQL, without migrations. Returns the address of its owner. */
export const createDatabase = async (dump?: string): Promise<string> => {
  const name = newName()
  const ownerUrl = new URL(inject('database').ownerUrl)
  const admin = new pg.Client({ connectionString: ownerUrl.href })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  ownerUrl.pathname = `/${name}`
  if (dump) {
    const owner = new pg.Client({ connectionString: ownerUrl.href })
    await owner.connect()
    await owner.query(dump)
    await owner.end()
  }
  return ownerUrl.href
}
