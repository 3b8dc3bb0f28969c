import { type SQL, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Deletes rows of a tenant's table that fulfil a condition, at most so many; those another process holds are left to it. */
const deleteSome = async (db: TenantDb, table: string, customerId: CustomerId, condition: SQL, most: number) => {
  const name = sql.identifier(table)
  const { rowCount } = await db.execute(sql`
    DELETE FROM ${name} WHERE customer_id = ${customerId} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${name} s WHERE customer_id = ${customerId} AND ${condition} LIMIT ${most} FOR UPDATE SKIP LOCKED))`)
  return rowCount ?? 0
}

/** Deletes sessions that ended before a moment; answers how many. */
export const deleteEndedSessions = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'sessions', customerId, sql`expires_at < ${before.toISOString()}`, most)

/** Deletes joins that were begun before a moment, whatever became of them; answers how many. */
export const deleteOldJoins = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'join_verifications', customerId, sql`created_at < ${before.toISOString()}`, most)

/** Deletes the keys of resets that ran out before a moment; answers how many. */
export const deleteOldResets = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'password_resets', customerId, sql`expires_at < ${before.toISOString()}`, most)

/** Deletes mails that are done with: those to members who left from one moment on, all others from another. Answers how many. */
export const deleteOldMails = (
  db: TenantDb,
  customerId: CustomerId,
  { lastMails, others }: { lastMails: Date; others: Date },
  most: number,
) =>
  deleteSome(
    db,
    'mails',
    customerId,
    sql`status <> 'QUEUED' AND (created_at < ${others.toISOString()} OR (template = 'goodbye' AND created_at < ${lastMails.toISOString()}))`,
    most,
  )

/** Deletes counted tries that count no more; answers how many. */
export const deletePastAttempts = (db: TenantDb, customerId: CustomerId, now: Date, most: number) =>
  deleteSome(db, 'rate_limits', customerId, sql`expires_at < ${now.toISOString()}`, most)

/** Deletes networks that no member has signed in from since a moment; answers how many. */
export const deletePastNetworks = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'known_networks', customerId, sql`last_at < ${before.toISOString()}`, most)

/** Deletes what is remembered of trials of members who left before a moment; answers how many. */
export const deletePastTrials = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'past_trials', customerId, sql`created_at < ${before.toISOString()}`, most)

/** Deletes guests' carts, with their lines, that were last written before a moment; answers how many. */
export const deleteGuestCarts = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'carts', customerId, sql`guest_id IS NOT NULL AND updated_at < ${before.toISOString()}`, most)

/** Deletes what guests looked at, or where their videos stopped, before a moment; a member's history stays. Answers how many. */
export const deleteGuestHistory = (
  db: TenantDb,
  customerId: CustomerId,
  table: 'viewed_products' | 'positions',
  before: Date,
  most: number,
) =>
  deleteSome(
    db,
    table,
    customerId,
    sql`at < ${before.toISOString()}
        AND NOT EXISTS (SELECT FROM members m WHERE m.customer_id = ${customerId} AND m.id::text = s.viewer)`,
    most,
  )

/** Deletes plays that gave their last sign before a moment; answers how many. */
export const deleteOldPlays = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'plays', customerId, sql`seen_at < ${before.toISOString()}`, most)

/** Deletes what was written of strangers' asks before a moment; answers how many. */
export const deleteOldLeaks = (db: TenantDb, customerId: CustomerId, before: Date, most: number) =>
  deleteSome(db, 'play_leaks', customerId, sql`last_at < ${before.toISOString()}`, most)
