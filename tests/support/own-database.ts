import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { prepareDatabase } from '#api/platform/db/migrate.ts'

/**
 * A database of the file's own, for tests that meet whoever works on the run's: workers of other files take jobs there, and are seen to
 * listen. It goes with the run's server. Returns the addresses of the role that serves and of the owner.
 */
export async function ownDatabase(): Promise<{ url: string; ownerUrl: string }> {
  const name = `own_${randomUUID().replaceAll('-', '')}`
  const ownerUrl = new URL(inject('database').ownerUrl)
  const admin = new pg.Client({ connectionString: ownerUrl.href })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  ownerUrl.pathname = `/${name}`
  return { url: await prepareDatabase({ ownerUrl: ownerUrl.href }), ownerUrl: ownerUrl.href }
}
