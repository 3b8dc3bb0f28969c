import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'
import { DatabaseUnavailable, onConnection, type TenantDb } from './client.ts'

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

/** SQLSTATEs of a database that is going away, is not up yet, or takes no more connections. */
const away = /^(?:08|57P0[1-5]$|53300$)/
/** What the driver says of a connection that broke under a statement; these errors have no code. */
const broke = /^Connection terminated|^Client has encountered a connection error/

/** Whether an error says that the database cannot be reached for now, rather than that something is wrong with what was asked. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnavailable || away.test(sqlState(error) ?? '') || broke.test(error.message)) return true
  return isDatabaseUnavailable(error.cause)
}

/** When whoever was told so may ask again, in seconds. */
export const databaseRetrySeconds = 5

interface Begin {
  /** The database refuses every write. */
  readOnly?: boolean
}

/** Begins a transaction and binds it to its tenant, in a single message. */
export const beginTenant = (customerId: CustomerId, { readOnly = false }: Begin = {}) => {
  if (!uuid.test(customerId)) throw new Error(`${customerId} is not a customer id`)
  return `BEGIN${readOnly ? ' READ ONLY' : ''}; SELECT set_config('marquee.customer_id', '${customerId}', true)`
}

/**
 * Runs `work` in one transaction of one tenant: begun and bound to the tenant in a single message, rolled back when `work` throws,
 * run again when the database says that two transactions got into each other's way. `work` must therefore have no effect outside.
 */
export const withTenant = async <Answer>(
  pool: pg.Pool,
  customerId: CustomerId,
  work: (db: TenantDb) => Promise<Answer>,
  how: Begin = {},
): Promise<Answer> => {
  const begin = beginTenant(customerId, how)
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    let broken: Error | undefined
    // The pool listens to idle connections only. A connection that breaks in use fails its statement; without a listener it would
    // end the process as well.
    const onLost = (lost: Error) => {
      broken = lost
    }
    client.on('error', onLost)
    try {
      await client.query(begin)
      const answer = await work(onConnection(client))
      await client.query('COMMIT')
      return answer
    } catch (error) {
      await client.query('ROLLBACK').catch((lost: Error) => {
        broken = lost
      })
      const state = sqlState(error)
      if ((state !== serializationFailure && state !== deadlock) || attempt === attempts)
        throw broken ? new DatabaseUnavailable(error) : error
    } finally {
      client.off('error', onLost)
      client.release(broken)
    }
    await sleep(Math.random() * 10 * 2 ** attempt)
  }
}
