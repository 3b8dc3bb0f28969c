import type pg from 'pg'
import { createClient, type TenantDb } from '#api/platform/db/client.ts'
import { schemaRefusals } from '#api/platform/db/migrate.ts'
import { OperatorError } from '#api/platform/log/operator-error.ts'
import { errorCode } from '#contract/safe-error.ts'
import { type Environment, readMode, readModeIn, writeMode } from './tenancy.queries.ts'

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01'

const onClient = async <Answer>(url: string, work: (client: pg.Client) => Promise<Answer>) => {
  const client = createClient({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    if (errorCode(error) === undefinedTable) throw new OperatorError(schemaRefusals.OLDER)
    throw error
  } finally {
    await client.end()
  }
}

/**
 * Records how the service runs, so that commands and workers beside it follow the same rules.
 * Production stays production: a demo that is started on its database by mistake must not relax the
 * rules.
 */
export const recordMode = (url: string, mode: Environment) => onClient(url, (client) => writeMode(client, mode))

/** Returns the recorded mode of the service, or null before its first start. */
export const recordedMode = (url: string): Promise<Environment | null> => onClient(url, readMode)

/** Returns the recorded mode of the service within a transaction. */
export const recordedModeIn = (db: TenantDb): Promise<Environment | null> => readModeIn(db)
