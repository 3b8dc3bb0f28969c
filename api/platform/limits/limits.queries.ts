import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/** The hashed key of the counted attempts. Times are in milliseconds. */
interface AttemptKey {
  name: string
  keyHash: string
}

interface Window {
  now: number
  /** Older attempts no longer count. */
  since: number
  max: number
  /**
   * From `pauseAfter` attempts on, each must wait twice as long as the one before. The first wait
   * is in milliseconds.
   */
  pauseAfter: number
  pause: number
}

/**
 * Counts an attempt unless the limit is reached. One statement serializes parallel attempts. Its
 * conditions are functions, because ON CONFLICT has no subqueries in a cluster.
 * Returns the new count, or null if the limit is reached.
 */
export const insertAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  { now, since, max, pauseAfter, pause }: Window,
): Promise<number | null> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `INSERT INTO rate_limits (customer_id, name, key_hash, attempted_at, expires_at)
     VALUES ($1, $2, $3, ARRAY[$4::bigint], $7::timestamptz)
     ON CONFLICT (customer_id, name, key_hash) DO UPDATE
       SET attempted_at = attempts_since(rate_limits.attempted_at, $5) || $4::bigint, expires_at = $7::timestamptz
     WHERE may_attempt(attempts_since(rate_limits.attempted_at, $5), $4, $6, $8, $9)
     RETURNING cardinality(attempted_at) AS count`,
    [customerId, name, keyHash, now, since, max, new Date(now + (now - since)), pauseAfter, pause],
  )
  return rows[0]?.count ?? null
}

/** Returns the number of attempts that still count, and the times of the oldest and the latest. */
export const countAttempts = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  since: number,
) => {
  const { rows } = await db.$client.query<{ count: string; oldest: string | null; latest: string | null }>(
    `SELECT count(*) AS count, min(t) AS oldest, max(t) AS latest
       FROM rate_limits, unnest(attempted_at) t WHERE customer_id = $1 AND name = $2 AND key_hash = $3 AND t > $4`,
    [customerId, name, keyHash, since],
  )
  const [row] = rows
  return { count: Number(row?.count ?? 0), oldest: Number(row?.oldest ?? 0), latest: Number(row?.latest ?? 0) }
}

/** Deletes one attempt by its time. */
export const deleteAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  at: number,
) => {
  await db.$client.query(
    `UPDATE rate_limits SET attempted_at = attempted_at[:array_position(attempted_at, $4::bigint) - 1] || attempted_at[array_position(attempted_at, $4::bigint) + 1:]
      WHERE customer_id = $1 AND name = $2 AND key_hash = $3 AND $4::bigint = ANY (attempted_at)`,
    [customerId, name, keyHash, at],
  )
}

/** Deletes all attempts of a key. */
export const deleteAttempts = async (db: TenantDb, customerId: CustomerId, { name, keyHash }: AttemptKey) => {
  await db.$client.query('DELETE FROM rate_limits WHERE customer_id = $1 AND name = $2 AND key_hash = $3', [
    customerId,
    name,
    keyHash,
  ])
}
