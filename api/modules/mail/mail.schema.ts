import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { SuppressionSource } from '#contract/admin/mails.ts'
import type { Locale, MailStatus } from '#contract/enumerations.ts'
import type { MailId, MemberId } from '#contract/ids.ts'

/**
 * Mails are inserted in the transaction that causes them and sent afterwards. `once` names the
 * cause (`receipt:{orderId}`) and prevents a second mail for it. NOT_SENT: there is no mail server,
 * and the demo's mailbox shows the mail.
 */
export const mails = pgTable(
  'mails',
  {
    customerId: customerId(),
    id: id<MailId>(),
    memberId: uuid('member_id').$type<MemberId>(),
    to: text('to').notNull(),
    locale: text('locale').$type<Locale>().notNull(),
    template: text('template').notNull(),
    once: text('once'),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    /** Whether the content stays once the mail is sent. */
    keepsContent: boolean('keeps_content').notNull().default(false),
    status: text('status').$type<MailStatus>().notNull().default('QUEUED'),
    attempts: integer('attempts').notNull().default(0),
    failure: text('failure'),
    createdAt: createdAt(),
    dueAt: at('due_at').notNull().default(sql`now()`),
    sentAt: at('sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('mails_once').on(t.customerId, t.once),
    index('mails_due').on(t.customerId, t.dueAt).where(sql`status = 'QUEUED'`),
    index('mails_failed').on(t.customerId, t.createdAt).where(sql`status = 'FAILED'`),
    index('mails_latest').on(t.customerId, t.createdAt.desc()),
    check('mails_status', sql`${t.status} in ('QUEUED', 'SENT', 'FAILED', 'NOT_SENT')`),
  ],
)

/** Addresses that nothing is sent to: refused by the mail server, or added by staff. */
export const suppressedAddresses = pgTable(
  'suppressed_addresses',
  {
    customerId: customerId(),
    /** In lower case. */
    address: text('address').notNull(),
    source: text('source').$type<SuppressionSource>().notNull(),
    /** The answer of the mail server, or the note of staff. */
    reason: text('reason').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.address] }),
    index('suppressed_addresses_latest').on(t.customerId, t.createdAt.desc()),
    check('suppressed_addresses_source', sql`${t.source} in ('REFUSED', 'STAFF')`),
  ],
)
