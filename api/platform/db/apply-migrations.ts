import { setTimeout as sleep } from 'node:timers/promises'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { OperatorError } from '#api/platform/log/log.ts'
import { databaseErrorCode } from './client.ts'
import { distributeCreatedTable, isDistributed, renewDefinitions, transactionSettings } from './cluster.ts'

/** How long a migration waits for a lock, while requests wait behind it. Milliseconds. */
const lockTimeout = 800
/** How long a migration tries to get its locks. Milliseconds. */
const longestTry = 120_000

const deadlock = '40P01'
const lockNotAvailable = '55P03'

/**
 * Runs a transaction that changes tables while other processes use them. It waits for a lock less
 * long than PostgreSQL waits before it ends a deadlock, and then begins again, so that no request
 * fails.
 *
 * @throws OperatorError if tables stay in use
 */
const whileInUse = async (client: pg.Client, transact: () => Promise<void>): Promise<void> => {
  const until = performance.now() + longestTry
  for (;;) {
    try {
      await client.query('BEGIN')
      await client.query(`SET LOCAL lock_timeout = ${lockTimeout}`)
      await transact()
      await client.query('COMMIT')
      return
    } catch (error) {
      await client.query('ROLLBACK')
      const code = databaseErrorCode(error)
      if (code !== deadlock && code !== lockNotAvailable) throw error
      if (performance.now() > until)
        throw new OperatorError(
          `A migration could not lock its tables for ${longestTry / 1000} seconds. End long transactions, such as imports, and start again.`,
        )
      await sleep(50 + Math.random() * 450)
    }
  }
}

/** Returns the time at which the last applied migration was made; 0 before the first. */
export const readLastMigration = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ last: number | null }>(
    'SELECT max(created_at) AS last FROM drizzle.__drizzle_migrations',
  )
  return rows[0]?.last ?? 0
}

/** Runs the statements of a migration and records it. */
const applyOne = async (client: pg.Client, { sql, hash, folderMillis }: MigrationMeta, distributed: boolean) => {
  if (distributed) await client.query(transactionSettings)
  for (const statement of sql) {
    await client.query(statement)
    if (distributed) await distributeCreatedTable(client, statement)
  }
  await client.query('INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
    hash,
    folderMillis,
  ])
}

/**
 * Applies the migrations that a database lacks. Those of a database in use run each in a
 * transaction of its own: all together would lock so many tables that busy stores leave no moment
 * for it. If one fails, those before it remain, and the next start continues.
 *
 * @throws OperatorError if tables stay in use
 */
export const applyMigrations = async (client: pg.Client, migrationsFolder: string): Promise<void> => {
  const { rows: tables } = await client.query<{ isUsed: boolean }>(
    `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS "isUsed"`,
  )
  if (!tables[0]?.isUsed) return migrate(drizzle(client), { migrationsFolder })
  const last = await readLastMigration(client)
  const pending = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis > last)
  const distributed = await isDistributed(client)
  for (const migration of pending)
    await whileInUse(client, async () => {
      await applyOne(client, migration, distributed)
      // Migrations may have replaced definitions of the cluster.
      if (distributed && migration === pending.at(-1)) await renewDefinitions(client)
    })
}
