import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at, customerId, id } from '#api/platform/db/columns.ts'

/** The changed fields of an object. A value that did not exist is null. */
export type AuditChanges = Record<string, { from: unknown; to: unknown }>

/** The audit log: acts of operators and decisions by rule. Rows are appended and never changed. */
export const audit = pgTable(
  'audit',
  {
    customerId: customerId(),
    id: id(),
    at: at('at').notNull(),
    /** `admin:{name}`, `staff:{email}`, `operator:{token}`, `member:{id}` or `rule`. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** The object of the action: `order:{code}`, `inquiry:{code}`, `member:{id}`, … */
    subject: text('subject').notNull(),
    /** The fields that changed, with their values before and after. */
    changes: jsonb('changes').$type<AuditChanges>().notNull().default({}),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('audit_latest').on(t.customerId, t.at.desc()),
    index('audit_actor').on(t.customerId, t.actor, t.at.desc()),
    index('audit_subject').on(t.customerId, t.subject, t.at.desc()),
  ],
)
