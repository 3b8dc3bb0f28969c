import type pg from 'pg'
import type { CustomerId } from '#contract/ids.ts'
import {
  beginTenant,
  databaseErrorCode,
  onConnection,
  type TenantDb,
  takeConnection,
  throwAsUnavailable,
  withTenant,
} from './client.ts'

/**
 * The statement of another reader failed, or PostgreSQL aborted this transaction. The reader did
 * not cause the error. 26000: a prepared statement is missing, because the transaction was aborted
 * when an earlier reader sent it.
 */
const retryableStates = new Set(['25P02', '26000', '40001', '40P01'])

/** Runs reads of one tenant. Concurrent reads share one transaction. */
export interface SharedReads {
  <Answer>(customerId: CustomerId, work: (db: TenantDb) => Promise<Answer>): Promise<Answer>
  /** Later reads begin a transaction of their own, because a write may have changed the data. */
  renew: () => void
}

interface Connected {
  db: TenantDb
  /** Resolves once the connection is bound to the tenant. */
  begun: Promise<unknown>
  end: () => Promise<void>
}

interface Transaction {
  customerId: CustomerId
  connected: Promise<Connected>
  readers: number
  ended: boolean
}

/** The results that the readers of a shared transaction have in common. */
const knownResults = new WeakMap<TenantDb, Map<string, Promise<unknown>>>()

/**
 * Reads something once per shared transaction. Other transactions may write, so they read it every
 * time. `name` includes everything that the result depends on, besides the tenant.
 */
export const readOnce = <Found>(db: TenantDb, name: string, look: () => Promise<Found>): Promise<Found> => {
  const results = knownResults.get(db)
  // Each name is used in one place only, so it has one type.
  const cached = results?.get(name) as Promise<Found> | undefined
  // A reader fails by its own statement alone.
  if (cached) return cached.catch(look)
  const pending = look()
  results?.set(name, pending)
  return pending
}

/**
 * Creates a read-only transaction per tenant that all concurrent reads share. It begins with the
 * first read and ends with the last. A read that fails because of another one runs again in its own
 * transaction, so that readers do not affect each other. `work` may run twice.
 */
export const createSharedReads = (pool: pg.Pool): SharedReads => {
  let current: Transaction | undefined

  const begin = (customerId: CustomerId): Transaction => {
    const transaction = { customerId, connected: open(pool, customerId), readers: 0, ended: false }
    transaction.connected.then(({ begun }) => begun).catch(() => release(transaction))
    return transaction
  }
  /** Prevents new readers from joining. */
  const release = (transaction: Transaction) => {
    if (current === transaction) current = undefined
  }
  const endIdle = async (transaction: Transaction) => {
    // A reader may have joined since.
    if (transaction.readers > 0 || transaction.ended) return
    transaction.ended = true
    release(transaction)
    await transaction.connected.then(({ end }) => end()).catch(() => undefined)
  }

  const shared = async <Answer>(customerId: CustomerId, work: (db: TenantDb) => Promise<Answer>): Promise<Answer> => {
    if (current?.customerId !== customerId) current = begin(customerId)
    const transaction = current
    transaction.readers++
    try {
      const { db, begun } = await transaction.connected
      // The first read is sent with the beginning. What it returns counts only if that succeeded.
      const [answer] = await Promise.allSettled([work(db)])
      await begun
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    } catch (error) {
      if (databaseErrorCode(error) !== undefined) release(transaction)
      throw error
    } finally {
      // Waits for the next tick, so that a read that follows directly still joins.
      if (--transaction.readers === 0) setImmediate(() => endIdle(transaction))
    }
  }

  const read = async <Answer>(customerId: CustomerId, work: (db: TenantDb) => Promise<Answer>): Promise<Answer> => {
    try {
      return await shared(customerId, work)
    } catch (error) {
      if (!retryableStates.has(databaseErrorCode(error) ?? '')) return throwAsUnavailable(error)
      return withTenant(pool, customerId, work, { readOnly: true })
    }
  }
  const renew = () => {
    current = undefined
  }
  return Object.assign(read, { renew })
}

const open = async (pool: pg.Pool, customerId: CustomerId): Promise<Connected> => {
  const { client, breakUp, release } = await takeConnection(pool)
  const end = async () => {
    // For a failed transaction, COMMIT rolls back.
    await client.query('COMMIT').catch(breakUp)
    release()
  }
  // The driver pipelines: it sends the queries of all readers without waiting for answers, and the
  // database runs them in order.
  const begun = client.query(beginTenant(customerId, { readOnly: true }))
  begun.catch(() => undefined)
  const db = onConnection(client)
  knownResults.set(db, new Map())
  return { db, begun, end }
}

/**
 * A statement that is prepared once per connection under its name. Values are passed in
 * PostgreSQL's text format.
 */
export interface Statement<Row> {
  name: string
  text: string
  values: readonly (string | null)[]
  /** The type of the rows. Never set. */
  row?: Row
}

/** The rows of each statement. */
type RowsOf<Statements extends readonly Statement<unknown>[]> = {
  [Place in keyof Statements]: Statements[Place] extends Statement<infer Row> ? Row[] : never
}

/**
 * Sends several reads of one tenant at once in a read-only transaction, and waits for all answers.
 * Used for the checks on every segment of a stream. Everything else uses `withTenant`.
 *
 * @returns the rows of each statement, in the order of the statements
 * @throws the error of the first statement that failed
 */
export const readInOneRoundTrip = async <const Statements extends readonly Statement<unknown>[]>(
  pool: pg.Pool,
  customerId: CustomerId,
  statements: Statements,
): Promise<RowsOf<Statements>> => {
  const { client, release } = await takeConnection(pool)
  try {
    // The driver pipelines: it sends each query without waiting for the previous answer.
    const [begun, ...answers] = await Promise.allSettled([
      client.query(beginTenant(customerId, { readOnly: true })),
      ...statements.map(({ name, text, values }) => client.query({ name, text, values: [...values] })),
      client.query('COMMIT'),
    ])
    // After a failed statement, the later ones fail as well.
    const failed = [begun, ...answers].find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throwAsUnavailable(failed.reason)
    const rows = answers.slice(0, -1).map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : []))
    // Each statement declares the type of its rows.
    return rows as RowsOf<Statements>
  } finally {
    release()
  }
}
