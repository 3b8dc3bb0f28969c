import { and, eq, isNull, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { members } from '#api/db/schema/accounts.ts'
import { mails } from '#api/db/schema/mails.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'

/** Where a member reads mail, and in which language; null for one who has left. */
export const readAddressee = async (db: TenantDb, customerId: CustomerId, id: MemberId) => {
  const [row] = await db
    .select({ email: members.email, locale: sql<Locale | null>`${members.locale}` })
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.id, id), isNull(members.withdrawnAt)))
  return row ?? null
}

/** The channel on which a committed mail is heard of, by its tenant's id. */
export const mailChannel = 'marquee_mails'

/** Tells whoever sends mails that there is one, once the transaction holds. */
export const announceMail = async (db: TenantDb, customerId: CustomerId) => {
  await db.$client.query('SELECT pg_notify($1, $2)', [mailChannel, customerId])
}

export interface DueMail {
  id: string
  to: string
  subject: string
  text: string
  html: string
  attempts: number
}

/** Takes queued mails whose time has come, the longest waiting first: until `until` nobody else takes them. Counts the attempt. */
export const claimDueMails = async (db: TenantDb, customerId: CustomerId, now: Date, until: Date, most: number) => {
  const { rows } = await db.$client.query<DueMail>(
    `UPDATE mails SET due_at = $3, attempts = attempts + 1
      WHERE customer_id = $1 AND id IN (
        SELECT id FROM mails WHERE customer_id = $1 AND status = 'QUEUED' AND due_at <= $2
         ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
      RETURNING id, "to", subject, text, html, attempts`,
    [customerId, now, until, most],
  )
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A mail that has left. Its words go with it: codes and keys stand in them that are kept nowhere but as hashes. */
export const markSent = (
  db: TenantDb,
  customerId: CustomerId,
  id: string,
  now: Date,
  { keepWords = false }: { keepWords?: boolean },
) =>
  settle(db, customerId, id, {
    ...{ status: 'SENT', sentAt: now.toISOString(), failure: null },
    ...(!keepWords && { text: '', html: '' }),
  })

export const markFailed = (db: TenantDb, customerId: CustomerId, id: string, failure: string) =>
  settle(db, customerId, id, { status: 'FAILED', failure })

/** Another try at a later time. A mail that was not even tried is not charged the attempt. */
export const putBack = (db: TenantDb, customerId: CustomerId, mail: DueMail, dueAt: Date, failure: string | null) =>
  settle(db, customerId, mail.id, {
    dueAt: dueAt.toISOString(),
    ...(failure === null ? { attempts: mail.attempts - 1 } : { failure }),
  })

/** Where nothing leaves, what is queued is kept. Answers how many. */
export const keepQueued = async (db: TenantDb, customerId: CustomerId) => {
  const kept = await db
    .update(mails)
    .set({ status: 'KEPT' })
    .where(and(eq(mails.customerId, customerId), eq(mails.status, 'QUEUED')))
  return kept.rowCount ?? 0
}

const settle = async (db: TenantDb, customerId: CustomerId, id: string, values: Partial<typeof mails.$inferInsert>) => {
  await db
    .update(mails)
    .set(values)
    .where(and(eq(mails.customerId, customerId), eq(mails.id, id)))
}

export interface MailHead {
  id: string
  to: string
  locale: string
  subject: string
  status: 'QUEUED' | 'SENT' | 'FAILED' | 'KEPT'
  createdAt: string
}

export interface KeptMail extends MailHead {
  text: string
  html: string
  failure: string | null
}

const head = `id, "to", locale, subject, status, created_at AS "createdAt"`

/** The latest mails of a tenant; with `to`, those to one address. */
export const readMails = async (db: TenantDb, customerId: CustomerId, to: string, most: number) => {
  const { rows } = await db.$client.query<MailHead>(
    `SELECT ${head} FROM mails WHERE customer_id = $1 AND ($2 = '' OR lower("to") = lower($2))
      ORDER BY created_at DESC, id DESC LIMIT $3`,
    [customerId, to, most],
  )
  return rows
}

export const readMail = async (db: TenantDb, customerId: CustomerId, id: string) => {
  const { rows } = await db.$client.query<KeptMail>(
    `SELECT ${head}, text, html, failure FROM mails WHERE customer_id = $1 AND id = $2`,
    [customerId, id],
  )
  return rows[0] ?? null
}
