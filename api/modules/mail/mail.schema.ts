import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { MailSecurity } from '#contract/admin/mail-servers.ts'
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

/** A store's own mail server. Without a row, the installation's server sends the store's mails. */
export const mailServers = pgTable(
  'mail_servers',
  {
    customerId: customerId(),
    host: text('host').notNull(),
    port: integer('port').notNull(),
    security: text('security').$type<MailSecurity>().notNull(),
    /** Null for a server that asks for no sign-in. */
    username: text('username'),
    /** Encrypted; null without a user name. */
    password: text('password'),
    /** The display name of the sender; null for the store's name. */
    senderName: text('sender_name'),
    senderAddress: text('sender_address').notNull(),
    /** Since when it takes no mails, what it or the network answered last, and the next attempt. */
    failingSince: at('failing_since'),
    failure: text('failure'),
    retryAt: at('retry_at'),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId] }),
    check('mail_servers_security', sql`${t.security} in ('TLS', 'STARTTLS', 'NONE')`),
    check('mail_servers_failing', sql`(${t.failingSince} is null) = (${t.failure} is null)`),
  ],
)
