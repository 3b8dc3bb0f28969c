import pg from 'pg'
import type { Customer } from '#api/context.ts'
import { onConnection, type TenantDb } from '#api/db/client.ts'
import { databaseErrorCode } from '#api/db/with-tenant.ts'
import { resolveCustomer } from '#api/domain/tenancy/resolve-customer.ts'
import { StartupError } from '#api/startup-error.ts'
import type { Opened } from './open.ts'

const uniqueViolation = '23505'

/** Runs `work` in one transaction of the role that owns the tables: it alone may make stores and change what they are. */
export const asOwner = async <Answer>(
  { database }: Pick<Opened, 'database'>,
  work: (db: TenantDb) => Promise<Answer>,
): Promise<Answer> => {
  if (!database.ownerUrl)
    throw new StartupError('Give DATABASE_OWNER_URL: the role that serves requests cannot make stores or change them.')
  const client = new pg.Client({ connectionString: database.ownerUrl, options: '-c timezone=UTC' })
  await client.connect()
  try {
    await client.query('BEGIN')
    const answer = await work(onConnection(client as unknown as pg.PoolClient))
    await client.query('COMMIT')
    return answer
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    if (databaseErrorCode(error) === uniqueViolation)
      throw new StartupError('Somebody else has just taken this code or host.')
    throw error
  } finally {
    await client.end()
  }
}

/** The store of a code, as it is now. */
export const storeOf = async ({ deps }: Pick<Opened, 'deps'>, code: string): Promise<Customer> => {
  const customer = await resolveCustomer(deps, code)
  if (!customer) throw new StartupError(`There is no store with the customer code ${code}.`)
  return customer
}
