import pg from 'pg'
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
  return { query } as unknown as pg.PoolClient
}

/** A hot statement: its text belongs to its name, and its values are written as PostgreSQL reads them. */
export interface Statement {
  name: string
  text: string
  values: readonly (string | null)[]
}

type Row = Record<string, unknown>

/** Of the driver's connection, what a query of our own writes to. */
interface Wire {
  stream: { cork: () => void; uncork: () => void }
  parse: (statement: { name: string; text: string }) => void
  bind: (bound: { statement: string; values: readonly (string | null)[] }) => void
  describe: (what: { type: 'P'; name: string }) => void
  execute: (what: { portal: string }) => void
  sync: () => void
}

/** The statements a connection has parsed; it keeps them apart from those of `named`. */
const parsedOn = new WeakMap<Wire, Set<string>>()
const nameOn = ({ name }: Statement) => `together:${name}`

const bindTenant = (customerId: CustomerId): Statement => ({
  name: 'tenant',
  text: `SELECT set_config('marquee.customer_id', $1, true), set_config('transaction_read_only', 'on', true)`,
  values: [customerId],
})

/** Several statements before one end of the message: PostgreSQL runs them in one transaction, which ends with them. */
class Message implements pg.Submittable {
  readonly answers = Promise.withResolvers<Row[][]>()
  readonly statements: readonly Statement[]
  readonly #done: Row[][] = []
  #rows: Row[] = []
  #columns: { name: string; read: (text: string) => unknown }[] = []
  #wire: Wire | null = null

  constructor(statements: readonly Statement[]) {
    this.statements = statements
  }

  submit(connection: unknown) {
    const wire = connection as Wire
    const parsed = parsedOn.get(wire)
    this.#wire = wire
    wire.stream.cork()
    for (const statement of this.statements) {
      const name = nameOn(statement)
      if (!parsed?.has(name)) wire.parse({ name, text: statement.text })
      wire.bind({ statement: name, values: statement.values })
      wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '' })
    }
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID, 'text') }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    const values = this.#columns.map(({ name, read }, at) => {
      const text = fields[at] ?? null
      return [name, text === null ? null : read(text)]
    })
    this.#rows.push(Object.fromEntries(values))
  }

  handleCommandComplete() {
    this.#done.push(this.#rows)
    this.#rows = []
  }

  handleError(error: Error) {
    this.answers.reject(error)
  }

  handleReadyForQuery() {
    if (this.#wire)
      parsedOn.set(this.#wire, new Set([...(parsedOn.get(this.#wire) ?? []), ...this.statements.map(nameOn)]))
    this.answers.resolve(this.#done)
  }
}

/**
 * Reads of one tenant that do not wait for each other: sent in one message and answered in one, in a transaction of their own that may
 * write nothing. Answers the rows of each statement. For what is asked with every segment of every stream; everything else has
 * `withTenant`.
 */
export const readTogether = async (
  pool: pg.Pool,
  customerId: CustomerId,
  statements: readonly Statement[],
): Promise<Row[][]> => {
  const client = await pool.connect()
  let broken: Error | undefined
  const onLost = (lost: Error) => {
    broken = lost
  }
  // See `withTenant`: a connection that breaks in use has to be listened to.
  client.on('error', onLost)
  try {
    const [, ...answers] = await client.query(new Message([bindTenant(customerId), ...statements])).answers.promise
    return answers
  } catch (error) {
    // Which of its statements the connection has parsed by now is not known.
    broken = error as Error
    throw error
  } finally {
    client.off('error', onLost)
    client.release(broken)
  }
}
