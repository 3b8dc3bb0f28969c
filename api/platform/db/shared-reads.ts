import type pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'
import { beginTenant, databaseErrorCode, onConnection, type TenantDb, withTenant } from './client.ts'

/** Another reader's statement failed, or the database chose this transaction to give way: the reader is not to blame. */
const notTheirs = new Set(['25P02', '40001', '40P01'])

/** Runs reads of one tenant, those that run at the same time in one transaction. */
export type SharedReads = <Answer>(customerId: CustomerId, work: (db: TenantDb) => Promise<Answer>) => Promise<Answer>

interface Transaction {
  customerId: CustomerId
  begun: Promise<{ client: pg.PoolClient; db: TenantDb; end: () => Promise<void> }>
  readers: number
  ended: boolean
}

/**
 * One transaction, which the database lets write nothing, for all reads of a tenant that are under way together: begun with the first
 * of them and ended with the last. A read that another one's failure takes along runs again in a transaction of its own, so that the
 * readers learn nothing of each other. `work` may run twice.
 */
export const createSharedReads = (pool: pg.Pool): SharedReads => {
  let current: Transaction | undefined

  const begin = (customerId: CustomerId): Transaction => {
    const transaction = { customerId, begun: open(pool, customerId), readers: 0, ended: false }
    transaction.begun.catch(() => leave(transaction))
    return transaction
  }
  /** Nobody else joins it. */
  const leave = (transaction: Transaction) => {
    if (current === transaction) current = undefined
  }
  const endIdle = async (transaction: Transaction) => {
    // It may have been idle more than once since.
    if (transaction.readers > 0 || transaction.ended) return
    transaction.ended = true
    leave(transaction)
    await transaction.begun.then(({ end }) => end()).catch(() => undefined)
  }

  const together: SharedReads = async (customerId, work) => {
    if (current?.customerId !== customerId) current = begin(customerId)
    const transaction = current
    transaction.readers++
    try {
      const { db } = await transaction.begun
      return await work(db)
    } catch (error) {
      if (databaseErrorCode(error) !== undefined) leave(transaction)
      throw error
    } finally {
      // Whoever reads next, as the answer is taken up, joins it still.
      if (--transaction.readers === 0) setImmediate(() => endIdle(transaction))
    }
  }

  return async (customerId, work) => {
    try {
      return await together(customerId, work)
    } catch (error) {
      if (!notTheirs.has(databaseErrorCode(error) ?? '')) throw error
      return withTenant(pool, customerId, work, { readOnly: true })
    }
  }
}

const open = async (pool: pg.Pool, customerId: CustomerId) => {
  const client = await pool.connect()
  let broken: Error | undefined
  const onLost = (lost: Error) => {
    broken = lost
  }
  client.on('error', onLost)
  const end = async () => {
    // Of one that failed, this is the way back as well.
    await client.query('COMMIT').catch((lost: Error) => {
      broken = lost
    })
    client.off('error', onLost)
    client.release(broken)
  }
  try {
    await client.query(beginTenant(customerId, { readOnly: true }))
  } catch (error) {
    await end()
    throw error
  }
  return { client, db: onConnection(inTurn(client)), end }
}

/** A connection that several ask at the same time: it takes one statement after the other. */
const inTurn = (client: pg.PoolClient): pg.PoolClient => {
  let last: Promise<unknown> = Promise.resolve()
  const query = (...asked: Parameters<pg.PoolClient['query']>) => {
    const answer = last.then(() => client.query(...asked))
    last = Promise.allSettled([answer])
    return answer
  }
  return Object.create(client, { query: { value: query } })
}

/** A statement that is prepared once per connection under its name. Its values are written as PostgreSQL reads them. */
export interface Statement<Row> {
  name: string
  text: string
  values: readonly (string | null)[]
  /** The type of its rows; never set. */
  row?: Row
}

/** The rows of each statement. */
type RowsOf<Statements extends readonly Statement<unknown>[]> = {
  [Place in keyof Statements]: Statements[Place] extends Statement<infer Row> ? Row[] : never
}

/**
 * Sends several reads of one tenant at once and waits for all answers together, in a read-only transaction of their own. Used for what
 * every segment of every stream asks; everything else uses `withTenant`.
 *
 * @returns the rows of each statement, in the order of the statements
 * @throws the error of the first statement that failed
 */
export const readTogether = async <const Statements extends readonly Statement<unknown>[]>(
  pool: pg.Pool,
  customerId: CustomerId,
  statements: Statements,
): Promise<RowsOf<Statements>> => {
  const client = await pool.connect()
  let broken: Error | undefined
  const onLost = (lost: Error) => {
    broken = lost
  }
  // See `withTenant`: a connection that breaks in use has to be listened to.
  client.on('error', onLost)
  try {
    // The driver pipelines: each query is sent without waiting for the one before it.
    const [begun, ...answers] = await Promise.allSettled([
      client.query(beginTenant(customerId, { readOnly: true })),
      ...statements.map(({ name, text, values }) => client.query({ name, text, values: [...values] })),
      client.query('COMMIT'),
    ])
    // After a failed statement, those behind it fail because of it.
    const failed = [begun, ...answers].find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    const rows = answers.slice(0, -1).map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : []))
    // A statement says what its rows are.
    return rows as RowsOf<Statements>
  } finally {
    client.off('error', onLost)
    client.release(broken)
  }
}
