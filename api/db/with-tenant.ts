import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'

/** One transaction of one tenant. Rows of other tenants do not exist in it. */
export type Tx = NodePgDatabase & {
  readonly customerId: CustomerId
  /** A hot statement: parsed once a connection, under its name. */
  named<Row extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const serializationFailure = '40001'
const deadlock = '40P01'
const attempts = 4

const sqlState = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return error.code
  return error instanceof Error && error.cause ? sqlState(error.cause) : undefined
}

/** The SQLSTATE of a database error, through the wrappings it may have; undefined for any other error. */
export const databaseErrorCode = sqlState

/**
 * Runs `work` in one transaction of one tenant: begun and bound to the tenant in a single message, rolled back when `work` throws,
 * run again when the database says that two transactions got into each other's way. `work` must therefore have no effect outside.
 */
export const withTenant = async <Answer>(
  pool: pg.Pool,
  customerId: CustomerId,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> => {
  if (!uuid.test(customerId)) throw new Error(`${customerId} is not a customer id`)
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(`BEGIN; SELECT set_config('marquee.customer_id', '${customerId}', true)`)
      const answer = await work(transactionOf(client, customerId))
      await client.query('COMMIT')
      return answer
    } catch (error) {
      await client.query('ROLLBACK').catch((lost: Error) => {
        broken = lost
      })
      const state = sqlState(error)
      if ((state !== serializationFailure && state !== deadlock) || attempt === attempts) throw error
    } finally {
      client.release(broken)
    }
    await sleep(Math.random() * 10 * 2 ** attempt)
  }
}

const databases = new WeakMap<pg.PoolClient, NodePgDatabase>()

const transactionOf = (client: pg.PoolClient, customerId: CustomerId): Tx => {
  let database = databases.get(client)
  if (!database) {
    database = drizzle(client)
    databases.set(client, database)
  }
  return Object.assign(Object.create(database) as NodePgDatabase, {
    customerId,
    named: async <Row extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
      (await client.query<Row>({ name, text, values: [...values] })).rows,
  })
}
