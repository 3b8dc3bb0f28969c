import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Whose tries at what are counted: the key is hashed. Moments are milliseconds. */
interface AttemptKey {
  name: string
  keyHash: string
}

interface Window {
  now: number
  /** What was tried before counts no more. */
  since: number
  most: number
}

/** Counts a try unless there were as many already, in one statement: parallel tries wait for each other. True: it is counted. */
export const takeAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  { now, since, most }: Window,
): Promise<boolean> => {
  const { rowCount } = await db.$client.query(
    `INSERT INTO attempts (customer_id, name, key_hash, taken, forget_at)
     VALUES ($1, $2, $3, ARRAY[$4::bigint], $7::timestamptz)
     ON CONFLICT (customer_id, name, key_hash) DO UPDATE
       SET taken = (SELECT coalesce(array_agg(t), '{}') FROM unnest(attempts.taken) t WHERE t > $5) || $4::bigint, forget_at = $7::timestamptz
     WHERE (SELECT count(*) FROM unnest(attempts.taken) t WHERE t > $5) < $6`,
    [customerId, name, keyHash, now, since, most, new Date(now + (now - since))],
  )
  return rowCount === 1
}

/** The oldest try that still counts; null where none does. */
export const oldestAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  since: number,
) => {
  const { rows } = await db.$client.query<{ at: string | null }>(
    'SELECT min(t) AS at FROM attempts, unnest(taken) t WHERE customer_id = $1 AND name = $2 AND key_hash = $3 AND t > $4',
    [customerId, name, keyHash, since],
  )
  const at = rows[0]?.at ?? null
  return at === null ? null : Number(at)
}

/** Counts one try of a moment no more. */
export const giveBackAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  at: number,
) => {
  await db.$client.query(
    `UPDATE attempts SET taken = taken[:array_position(taken, $4::bigint) - 1] || taken[array_position(taken, $4::bigint) + 1:]
      WHERE customer_id = $1 AND name = $2 AND key_hash = $3 AND $4::bigint = ANY (taken)`,
    [customerId, name, keyHash, at],
  )
}

export const forgetAttempts = async (db: TenantDb, customerId: CustomerId, { name, keyHash }: AttemptKey) => {
  await db.$client.query('DELETE FROM attempts WHERE customer_id = $1 AND name = $2 AND key_hash = $3', [
    customerId,
    name,
    keyHash,
  ])
}
