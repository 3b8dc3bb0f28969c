import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { at, customerId, id } from './columns.ts'

/** Who did what, when: every act of the desk and every decision by rule. Appended, never changed. */
export const audit = pgTable(
  'audit',
  {
    customerId: customerId(),
    id: id(),
    at: at('at').notNull(),
    /** `desk:{name}`, `member:{id}` or `rule`. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** What it was done to: `order:{code}`, `inquiry:{code}`, `member:{id}`, … */
    subject: text('subject').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('audit_latest').on(t.customerId, t.at.desc()),
    index('audit_subject').on(t.customerId, t.subject, t.at.desc()),
  ],
)

/** A tenant's account at a payment provider. `secrets` is encrypted with the installation's secret. */
export const paymentAccounts = pgTable(
  'payment_accounts',
  {
    customerId: customerId(),
    provider: text('provider').notNull(),
    active: boolean('active').notNull().default(true),
    options: jsonb('options').$type<Record<string, string>>().notNull().default({}),
    secrets: text('secrets'),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.provider] }),
    // One takes new payments; the others are still asked about theirs.
    uniqueIndex('payment_accounts_active').on(t.customerId).where(sql`active`),
  ],
)
