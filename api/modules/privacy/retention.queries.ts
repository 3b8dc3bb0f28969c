import { type SQL, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Deletes at most `max` rows of a tenant's table. Rows locked by another process are skipped. */
const deleteSome = async (db: TenantDb, table: string, customerId: CustomerId, condition: SQL, max: number) => {
  const name = sql.identifier(table)
  const { rowCount } = await db.execute(sql`
    DELETE FROM ${name} WHERE customer_id = ${customerId} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${name} s WHERE customer_id = ${customerId} AND ${condition} LIMIT ${max} FOR UPDATE SKIP LOCKED))`)
  return rowCount ?? 0
}

/** Deletes sessions that ended before a time. Returns their number. */
export const deleteEndedSessions = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'sessions', customerId, sql`expires_at < ${before.toISOString()}`, max)

/** Deletes joins that began before a time, in any state. Returns their number. */
export const deleteOldJoins = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'join_verifications', customerId, sql`created_at < ${before.toISOString()}`, max)

/** Deletes reset keys that expired before a time. Returns their number. */
export const deleteOldResets = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'password_resets', customerId, sql`expires_at < ${before.toISOString()}`, max)

/**
 * Deletes completed mails, with separate time limits for withdrawn members and all others. Returns
 * their number.
 */
export const deleteOldMails = (
  db: TenantDb,
  customerId: CustomerId,
  { lastMails, others }: { lastMails: Date; others: Date },
  max: number,
) =>
  deleteSome(
    db,
    'mails',
    customerId,
    sql`status <> 'QUEUED' AND (created_at < ${others.toISOString()} OR (template = 'goodbye' AND created_at < ${lastMails.toISOString()}))`,
    max,
  )

/** Deletes expired rate limit entries. Returns their number. */
export const deletePastAttempts = (db: TenantDb, customerId: CustomerId, now: Date, max: number) =>
  deleteSome(db, 'rate_limits', customerId, sql`expires_at < ${now.toISOString()}`, max)

/** Deletes networks without a sign-in since a time. Returns their number. */
export const deletePastNetworks = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'known_networks', customerId, sql`last_at < ${before.toISOString()}`, max)

/** Deletes trial records of members who withdrew before a time. Returns their number. */
export const deletePastTrials = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'past_trials', customerId, sql`created_at < ${before.toISOString()}`, max)

/** Deletes guests' carts last changed before a time. Returns their number. */
export const deleteGuestCarts = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'carts', customerId, sql`guest_id IS NOT NULL AND updated_at < ${before.toISOString()}`, max)

/**
 * Deletes guests' views and positions from before a time; those of members remain. Returns their
 * number.
 */
export const deleteGuestHistory = (
  db: TenantDb,
  customerId: CustomerId,
  table: 'viewed_products' | 'positions',
  before: Date,
  max: number,
) =>
  deleteSome(
    db,
    table,
    customerId,
    sql`at < ${before.toISOString()}
        AND NOT EXISTS (SELECT FROM members m WHERE m.customer_id = ${customerId} AND m.id::text = s.viewer)`,
    max,
  )

/** Deletes plays last seen before a time. Returns their number. */
export const deleteOldPlays = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'plays', customerId, sql`seen_at < ${before.toISOString()}`, max)

/** Deletes foreign requests recorded before a time. Returns their number. */
export const deleteOldLeaks = (db: TenantDb, customerId: CustomerId, before: Date, max: number) =>
  deleteSome(db, 'play_leaks', customerId, sql`last_at < ${before.toISOString()}`, max)
