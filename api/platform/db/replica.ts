import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createFaultLog, type FaultLines } from '#api/platform/log/log.ts'
import type { CustomerId } from '#contract/ids.ts'
import { databaseErrorCode, isDatabaseUnavailable, type TenantDb, withTenant } from './client.ts'

/**
 * What the replica must have for a read. A version: what the visitors of a store see of it since
 * that version. `COMMITTED`: all that was committed before the read.
 */
export type Freshness = { version: number } | 'COMMITTED'

/** A streaming replica of the database, for reads that may be some seconds old. */
export interface Replica extends AsyncDisposable {
  /**
   * Reads from the replica.
   *
   * @returns null if it is away, lags too much or has not yet what the read needs. The caller then
   * reads from the primary. `work` may have run.
   */
  read: <Answer>(
    customerId: CustomerId,
    needed: Freshness,
    work: (db: TenantDb) => Promise<Answer>,
  ) => Promise<{ answer: Answer } | null>
  /** Seconds by which the replica is behind; null while it is away. */
  lag: () => number | null
  /** Whether it is left out. */
  isFaulty: () => boolean
  /** Looks at the replica now, besides the regular times. @throws why it is not used */
  check: () => Promise<void>
}

export interface ReplicaOptions {
  primary: pg.Pool
  /** Connections to the replica, which the replica ends. */
  pool: pg.Pool
  /** Seconds. */
  maxLag: number
  log: FaultLines
}

/** Milliseconds. */
const checkInterval = 1_000
/** How long a read waits for what was committed before it. Milliseconds. */
const longestWait = 500
const waitStep = 20

const recoveryConflict = '40001'

/** A position in the log of changes, in bytes, and the size of a page of it. */
const readPosition = async (pool: pg.Pool | TenantDb['$client'], text: string) => {
  const { rows } = await pool.query<{ position: string; page: string }>(
    `SELECT (${text} - '0/0')::text AS position, current_setting('wal_block_size') AS page`,
  )
  return { position: BigInt(rows[0]?.position ?? 0), page: BigInt(rows[0]?.page ?? 8192) }
}

/** Bytes. A page of the log begins with a header, which is part of no record. */
const longestHeader = 40n

/** The position of the next record. At the end of a page, it is after the next header. */
const writtenAt = async (primary: pg.Pool): Promise<bigint> =>
  (await readPosition(primary, 'pg_current_wal_insert_lsn()')).position

/** The position up to which a replica has all records. */
const replayedAt = async (replica: pg.Pool | TenantDb['$client']): Promise<bigint> => {
  const { position, page } = await readPosition(replica, 'pg_last_wal_replay_lsn()')
  return position % page === 0n ? position + longestHeader : position
}

/** The database's own number, which a replica shares with its primary, and whether it is one. */
const identify = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ system: string; isReplica: boolean }>(
    `SELECT system_identifier::text AS system, pg_is_in_recovery() AS "isReplica" FROM pg_control_system()`,
  )
  return rows[0]
}

/** Explains why a database cannot be used as the replica of another; null if it can. */
const whyNoReplica = async (primary: pg.Pool, replica: pg.Pool): Promise<string | null> => {
  const [own, other] = await Promise.all([identify(primary), identify(replica)])
  if (own?.system !== other?.system) return 'it is another database than the primary'
  return other?.isReplica ? null : 'it is no replica, or has become a primary itself'
}

/**
 * Watches how far the replica is behind: the age of the first position of the primary that it has
 * not replayed yet. The clocks of the two machines do not matter.
 */
const createLagWatch = ({ primary, pool }: Pick<ReplicaOptions, 'primary' | 'pool'>) => {
  let ahead: { at: number; position: bigint }[] = []
  return async (): Promise<number> => {
    const reason = await whyNoReplica(primary, pool)
    if (reason) throw new Error(reason)
    ahead.push({ at: performance.now(), position: await writtenAt(primary) })
    const replayed = await replayedAt(pool)
    ahead = ahead.filter(({ position }) => position > replayed)
    return ahead[0] ? (performance.now() - ahead[0].at) / 1000 : 0
  }
}

/** Whether the replica has what a read needs, after a short wait. */
const hasNeeded = async (db: TenantDb, customerId: CustomerId, needed: number | bigint): Promise<boolean> => {
  if (typeof needed === 'number') {
    const { rows } = await db.$client.query<{ version: number }>(
      'SELECT version FROM customers WHERE customer_id = $1',
      [customerId],
    )
    return (rows[0]?.version ?? -1) >= needed
  }
  for (const until = performance.now() + longestWait; ; await sleep(waitStep)) {
    if ((await replayedAt(db.$client)) >= needed) return true
    if (performance.now() > until) return false
  }
}

/** Opens a replica and watches it until it is disposed. */
export const createReplica = ({ primary, pool, maxLag, log }: ReplicaOptions): Replica => {
  const faults = createFaultLog(log, {
    failed: 'The replica of the database is not used',
    recovered: 'The replica of the database is used again',
  })
  const readLag = createLagWatch({ primary, pool })
  let lag: number | null = null
  const leaveOut = (error: unknown) => {
    lag = null
    faults.onFailure(error)
  }
  const check = async () => {
    try {
      lag = await readLag()
    } catch (error) {
      leaveOut(error)
      throw error
    }
    if (lag <= maxLag) return faults.onSuccess()
    const error = new Error(`it is ${Math.round(lag)} seconds behind`)
    faults.onFailure(error)
    throw error
  }
  let checking: Promise<void> | null = null
  const checkOnce = () => {
    checking ??= check()
      .catch(() => {})
      .finally(() => {
        checking = null
      })
    return checking
  }
  void checkOnce()
  const timer = setInterval(checkOnce, checkInterval)
  timer.unref()

  const read: Replica['read'] = async (customerId, needed, work) => {
    if (lag === null || lag > maxLag) return null
    const position = needed === 'COMMITTED' ? await writtenAt(primary) : needed.version
    try {
      return await withTenant(
        pool,
        customerId,
        async (db) => ((await hasNeeded(db, customerId, position)) ? { answer: await work(db) } : null),
        { readOnly: true },
      )
    } catch (error) {
      // The replica ends reads of rows that the primary has removed meanwhile.
      if (databaseErrorCode(error) === recoveryConflict) return null
      if (!isDatabaseUnavailable(error)) throw error
      leaveOut(error)
      return null
    }
  }
  return {
    read,
    lag: () => lag,
    isFaulty: faults.isFaulty,
    check,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await checking
      await pool.end()
    },
  }
}
