import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { TenantDb } from '#api/platform/db/client.ts'
import { announceChange } from '#api/platform/db/connections.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId, MailId } from '#contract/ids.ts'
import { mailServers, mails } from './mail.schema.ts'

export interface DueMail {
  id: MailId
  to: string
  locale: Locale
  subject: string
  text: string
  html: string
  attempts: number
}

/** Which of a store's mails a server sends: those of these templates, or all others. Null: all. */
export type MailShare = { templates: readonly string[]; isOfTemplates: boolean } | null

const inShare = `($3::text[] IS NULL OR (template = ANY($3)) = $4)`
const shareValues = (share: MailShare) => [share?.templates ?? null, share?.isOfTemplates ?? null]

/**
 * How long a process owns a claimed mail, in milliseconds. If it dies, another process sends the
 * mail with the same message id.
 */
export const claimMilliseconds = 600_000

/** Claims due mails, the longest waiting first, until `until`. Counts the attempt. */
export const claimDueMails = async (
  db: TenantDb,
  customerId: CustomerId,
  { now, until, max, share }: { now: Date; until: Date; max: number; share: MailShare },
) => {
  const { rows } = await db.$client.query<DueMail>(
    `UPDATE mails SET due_at = $5, attempts = attempts + 1
      WHERE customer_id = $1 AND id IN (
        SELECT id FROM mails WHERE customer_id = $1 AND status = 'QUEUED' AND due_at <= $2 AND ${inShare}
         ORDER BY due_at, id LIMIT $6 FOR UPDATE SKIP LOCKED)
      RETURNING id, "to", locale, subject, text, html, attempts`,
    [customerId, now, ...shareValues(share), until, max],
  )
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Marks a mail as sent, and erases its content if that may hold codes and keys. */
export const markSent = (
  db: TenantDb,
  customerId: CustomerId,
  id: MailId,
  now: Date,
  { retainsContent = false }: { retainsContent?: boolean },
) =>
  settle(db, customerId, id, {
    status: 'SENT',
    sentAt: now.toISOString(),
    failure: null,
    ...(!retainsContent && {
      text: sql`CASE WHEN ${mails.keepsContent} THEN ${mails.text} ELSE '' END`,
      html: sql`CASE WHEN ${mails.keepsContent} THEN ${mails.html} ELSE '' END`,
    }),
  })

/** Marks a mail as failed for good. */
export const markFailed = async (db: TenantDb, customerId: CustomerId, id: MailId, failure: string) => {
  await settle(db, customerId, id, { status: 'FAILED', failure })
  // The first screen counts them.
  await announceChange(db, customerId, 'home')
}

/** Schedules a retry. Without a failure, the attempt does not count. */
export const postpone = (db: TenantDb, customerId: CustomerId, mail: DueMail, dueAt: Date, failure: string | null) =>
  settle(db, customerId, mail.id, {
    dueAt: dueAt.toISOString(),
    ...(failure === null ? { attempts: mail.attempts - 1 } : { failure }),
  })

/** Sets the queued mails of a share to NOT_SENT if there is no mail server for them. */
export const markNotSent = async (db: TenantDb, customerId: CustomerId, share: MailShare) => {
  const { rowCount } = await db.$client.query(
    `UPDATE mails SET status = 'NOT_SENT' WHERE customer_id = $1 AND status = $2 AND ${inShare}`,
    [customerId, 'QUEUED', ...shareValues(share)],
  )
  if (rowCount) await announceChange(db, customerId, 'mails')
}

/** Whether mails of a share are due. */
export const hasDueMails = async (db: TenantDb, customerId: CustomerId, now: Date, share: MailShare) => {
  const { rows } = await db.$client.query(
    `SELECT FROM mails WHERE customer_id = $1 AND status = 'QUEUED' AND due_at <= $2 AND ${inShare} LIMIT 1`,
    [customerId, now, ...shareValues(share)],
  )
  return rows.length > 0
}

/** Lets the due mails of a share wait until a server is tried again. */
export const postponeDueMails = async (
  db: TenantDb,
  customerId: CustomerId,
  { now, until, share }: { now: Date; until: Date; share: MailShare },
) => {
  await db.$client.query(
    `UPDATE mails SET due_at = $5 WHERE customer_id = $1 AND status = 'QUEUED' AND due_at <= $2 AND ${inShare}`,
    [customerId, now, ...shareValues(share), until],
  )
}

/** Makes queued mails due that wait beyond `after`. */
export const bringMailsForward = async (db: TenantDb, customerId: CustomerId, after: Date, now: Date) => {
  await db.$client.query(`UPDATE mails SET due_at = $3 WHERE customer_id = $1 AND status = 'QUEUED' AND due_at > $2`, [
    customerId,
    after,
    now,
  ])
}

const settle = async (db: TenantDb, customerId: CustomerId, id: MailId, values: PgUpdateSetSource<typeof mails>) => {
  await db
    .update(mails)
    .set(values)
    .where(and(eq(mails.customerId, customerId), eq(mails.id, id)))
  await announceChange(db, customerId, 'mails')
}

export type MailServerRow = typeof mailServers.$inferSelect

/** Returns the store's own mail server, or null. */
export const readMailServer = async (db: TenantDb, customerId: CustomerId): Promise<MailServerRow | null> => {
  const [row] = await db.select().from(mailServers).where(eq(mailServers.customerId, customerId))
  return row ?? null
}

/** Whether emails of a store are sent, by the installation or through a mail server of its own. */
export const canSendMail = async (db: TenantDb, customerId: CustomerId, installationSends: boolean) =>
  installationSends || (await readMailServer(db, customerId)) !== null

/** Sets the store's own mail server, which has not failed yet. */
export const saveMailServer = async (
  db: TenantDb,
  { customerId, ...columns }: Omit<MailServerRow, 'failingSince' | 'failure' | 'retryAt'>,
) => {
  const set = { ...columns, failingSince: null, failure: null, retryAt: null }
  await db
    .insert(mailServers)
    .values({ customerId, ...set })
    .onConflictDoUpdate({ target: mailServers.customerId, set })
}

/** Removes the store's own mail server. */
export const deleteMailServer = async (db: TenantDb, customerId: CustomerId) => {
  await db.delete(mailServers).where(eq(mailServers.customerId, customerId))
}

/** Records how the server that was used takes mails, unless it was changed meanwhile. */
export const setMailServerState = async (
  db: TenantDb,
  { customerId, updatedAt }: Pick<MailServerRow, 'customerId' | 'updatedAt'>,
  state: Pick<MailServerRow, 'failingSince' | 'failure' | 'retryAt'>,
) => {
  await db
    .update(mailServers)
    .set(state)
    .where(and(eq(mailServers.customerId, customerId), eq(mailServers.updatedAt, updatedAt)))
  // The first screen says that it fails.
  await announceChange(db, customerId, 'home')
}
