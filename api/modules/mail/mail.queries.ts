import { and, eq, lte } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { announceChange } from '#api/platform/db/connections.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { SuppressionSource } from '#contract/admin/mails.ts'
import type { Locale, MailStatus } from '#contract/enumerations.ts'
import type { CustomerId, MailId } from '#contract/ids.ts'
import { mails, suppressedAddresses } from './mail.schema.ts'

/** The channel that announces committed mails. The payload is the tenant's id. */
export const mailChannel = 'marquee_mails'

/** Notifies the sending processes, and the open consoles, when the transaction commits. */
export const announceMail = (db: TenantDb, customerId: CustomerId) =>
  announceChange(db, customerId, 'mails', mailChannel)

/** Queues a mail, unless one with the same `once` exists. Returns whether it did. */
export const insertMail = async (db: TenantDb, row: typeof mails.$inferInsert): Promise<boolean> => {
  const inserted = await db
    .insert(mails)
    .values(row)
    .onConflictDoNothing({ target: [mails.customerId, mails.once] })
    .returning({ id: mails.id })
  return inserted.length > 0
}

export interface MailHead {
  id: MailId
  to: string
  locale: Locale
  subject: string
  status: MailStatus
  createdAt: string
}

/** `keepsContent`: whether the content stays once the mail is sent, and staff may see it. */
export type StoredMail = MailListing &
  Pick<typeof mails.$inferSelect, 'memberId' | 'text' | 'html' | 'keepsContent' | 'sentAt'>

const head = `id, "to", locale, subject, status, created_at AS "createdAt"`

/** The latest mails of a tenant; with `to`, those to one address. */
export const readMails = async (db: TenantDb, customerId: CustomerId, to: string, max: number) => {
  const { rows } = await db.$client.query<MailHead>(
    `SELECT ${head} FROM mails WHERE customer_id = $1 AND ($2 = '' OR lower("to") = lower($2))
      ORDER BY created_at DESC, id DESC LIMIT $3`,
    [customerId, to, max],
  )
  return rows
}

/** Returns a mail with its content, or null. */
export const readMail = async (db: TenantDb, customerId: CustomerId, id: MailId) => {
  const { rows } = await db.$client.query<StoredMail>(
    `SELECT ${head}, template, attempts, failure, due_at AS "dueAt", sent_at AS "sentAt", text, html,
            keeps_content AS "keepsContent", member_id AS "memberId"
       FROM mails WHERE customer_id = $1 AND id = $2`,
    [customerId, id],
  )
  return rows[0] ?? null
}

export interface MailListing extends MailHead {
  template: string
  attempts: number
  failure: string | null
  dueAt: string
}

/** Mails for operators, latest first, filtered by `status` and `to`. */
export const readMailList = async (
  db: TenantDb,
  customerId: CustomerId,
  { status, to, limit }: { status: MailStatus | null; to: string; limit: number },
) => {
  const { rows } = await db.$client.query<MailListing>(
    `SELECT ${head}, template, attempts, failure, due_at AS "dueAt" FROM mails
      WHERE customer_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3 = '' OR lower("to") = lower($3))
      ORDER BY created_at DESC, id DESC LIMIT $4`,
    [customerId, status, to, limit],
  )
  return rows
}

export type MailPageRow = MailListing & { keyset: KeysetPosition }
type Times = { since: Date | null; until: Date | null; after: KeysetPosition | null; size: number }
export type MailPageFilter = Times & { status: MailStatus | null; to: string; template: string | null }

/** One more mail for operators than the page has, latest first. */
export const readMailPage = async (db: TenantDb, customerId: CustomerId, filter: MailPageFilter) => {
  const { status, to, template, since, until, after, size } = filter
  const { rows } = await db.$client.query<MailPageRow>(
    `SELECT jsonb_build_object('at', created_at::text, 'id', id) AS keyset, ${head}, template, attempts, failure,
            due_at AS "dueAt"
       FROM mails
      WHERE customer_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3 = '' OR lower("to") = lower($3))
        AND ($7::text IS NULL OR template = $7) AND created_at >= coalesce($8, '-infinity'::timestamptz) AND created_at < coalesce($9, 'infinity'::timestamptz)
        AND ${after ? '(created_at, id) < ($4::timestamptz, $5::uuid)' : '$4::timestamptz IS NULL AND $5::uuid IS NULL'}
      ORDER BY created_at DESC NULLS LAST, id DESC LIMIT $6`,
    [customerId, status, to, after?.at ?? null, after?.id ?? null, size + 1, template, since, until],
  )
  return rows
}

export interface MailErrorGroup {
  status: 'FAILED' | 'QUEUED'
  mails: number
  /** The highest number of attempts among them. */
  attempts: number
  since: string
  failure: string
}

/** Failed or retried mails, grouped by the mail server's message. */
export const readMailErrorGroups = async (db: TenantDb, customerId: CustomerId) => {
  const { rows } = await db.$client.query<MailErrorGroup>(
    `SELECT status, count(*)::int AS mails, max(attempts)::int AS attempts, min(created_at) AS since, failure FROM mails
      WHERE customer_id = $1 AND status IN ('FAILED', 'QUEUED') AND failure IS NOT NULL
      GROUP BY status, failure ORDER BY min(created_at) LIMIT 20`,
    [customerId],
  )
  return rows
}

/** Locks unsent mails that can be queued again; with `id` only that one, whatever its status. */
export const lockUnsentMails = async (db: TenantDb, customerId: CustomerId, id: MailId | null, limit: number) => {
  const { rows } = await db.$client.query<Pick<MailListing, 'id' | 'status' | 'template' | 'createdAt'>>(
    `SELECT id, status, template, created_at AS "createdAt" FROM mails
      WHERE customer_id = $1 AND (id = $2 OR ($2::uuid IS NULL AND status = 'FAILED'))
      ORDER BY created_at, id LIMIT $3 FOR UPDATE`,
    [customerId, id, limit],
  )
  return rows
}

/** Queues mails again as new. Recipients that staff have not suppressed are tried again. */
export const requeueMails = async (db: TenantDb, customerId: CustomerId, ids: readonly MailId[], now: Date) => {
  await db.$client.query(
    `DELETE FROM suppressed_addresses WHERE customer_id = $1 AND source = 'REFUSED'
        AND address IN (SELECT lower("to") FROM mails WHERE customer_id = $1 AND id = ANY($2::uuid[]))`,
    [customerId, ids],
  )
  await db.$client.query(
    `UPDATE mails SET status = 'QUEUED', attempts = 0, failure = NULL, due_at = $3 WHERE customer_id = $1 AND id = ANY($2::uuid[])`,
    [customerId, ids, now],
  )
}

/** Returns which of the addresses staff have suppressed, or were refused since `since`. */
export const readSuppressedAmong = async (
  db: TenantDb,
  customerId: CustomerId,
  to: readonly string[],
  since: Date,
): Promise<Set<string>> => {
  const { rows } = await db.$client.query<{ address: string }>(
    `SELECT address FROM suppressed_addresses
      WHERE customer_id = $1 AND address = ANY($2) AND (source = 'STAFF' OR created_at > $3)`,
    [customerId, to.map((address) => address.toLowerCase()), since],
  )
  return new Set(rows.map(({ address }) => address))
}

/** Suppresses an address. What staff have suppressed stays theirs. */
export const insertSuppressed = async (db: TenantDb, row: typeof suppressedAddresses.$inferInsert) => {
  const { source, reason, createdAt } = row
  await db
    .insert(suppressedAddresses)
    .values(row)
    .onConflictDoUpdate({
      target: [suppressedAddresses.customerId, suppressedAddresses.address],
      set: { source, reason, createdAt },
      ...(source === 'REFUSED' && { setWhere: eq(suppressedAddresses.source, 'REFUSED') }),
    })
}

/** Deletes refused addresses from before `before`, which are tried again. */
export const deleteExpiredSuppressions = async (db: TenantDb, customerId: CustomerId, before: Date) => {
  await db
    .delete(suppressedAddresses)
    .where(
      and(
        eq(suppressedAddresses.customerId, customerId),
        eq(suppressedAddresses.source, 'REFUSED'),
        lte(suppressedAddresses.createdAt, before.toISOString()),
      ),
    )
}

/** Deletes a suppressed address. Returns whether there was one. */
export const deleteSuppressed = async (db: TenantDb, customerId: CustomerId, address: string): Promise<boolean> => {
  const { rowCount } = await db
    .delete(suppressedAddresses)
    .where(and(eq(suppressedAddresses.customerId, customerId), eq(suppressedAddresses.address, address)))
  return (rowCount ?? 0) > 0
}

export interface SuppressedRow {
  keyset: KeysetPosition
  address: string
  source: SuppressionSource
  reason: string
  createdAt: string
  /** When it is tried again; null for one that staff have suppressed. */
  until: string | null
}

interface SuppressedFilter {
  /** The start of an address in lower case. */
  start: string
  /** Addresses that were refused before are tried again, which is after so many days. */
  since: Date
  days: number
  after: KeysetPosition | null
  size: number
}

/** One more suppressed address than the page has, latest first. Its hash is its position's id. */
export const readSuppressedPage = async (
  db: TenantDb,
  customerId: CustomerId,
  { start, since, days, after, size }: SuppressedFilter,
) => {
  const { rows } = await db.$client.query<SuppressedRow>(
    `SELECT jsonb_build_object('at', created_at::text, 'id', md5(address)::uuid) AS keyset, address, source, reason,
            created_at AS "createdAt", CASE WHEN source = 'REFUSED' THEN created_at + make_interval(days => $7) END AS until
       FROM suppressed_addresses
      WHERE customer_id = $1 AND (source = 'STAFF' OR created_at > $2) AND starts_with(address, $3)
        AND ${after ? '(created_at, md5(address)::uuid) < ($4::timestamptz, $5::uuid)' : '$4::timestamptz IS NULL AND $5::uuid IS NULL'}
      ORDER BY created_at DESC NULLS LAST, md5(address)::uuid DESC LIMIT $6`,
    [customerId, since, start, after?.at ?? null, after?.id ?? null, size + 1, days],
  )
  return rows
}
