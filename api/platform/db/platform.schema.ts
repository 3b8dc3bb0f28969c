import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { MemberId, OperatorTokenId, StaffId } from '#contract/ids.ts'
import { at, createdAt, customerId, id } from './columns.ts'

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

/** Writes that a caller may send again, with their answers. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    customerId: customerId(),
    /** The member, person of the staff or operator token that writes. */
    holder: uuid('member_id').$type<MemberId | StaffId | OperatorTokenId>().notNull(),
    key: text('key').notNull(),
    procedure: text('procedure').notNull(),
    bodyHash: text('body_hash').notNull(),
    status: integer('status'),
    answer: jsonb('answer'),
    lockedUntil: at('locked_until').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.holder, t.key] })],
)

/**
 * Recent attempts, shared by all processes of the installation. The key is hashed. Times are
 * milliseconds of the store's clock.
 */
export const rateLimits = pgTable(
  'rate_limits',
  {
    customerId: customerId(),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull(),
    attemptedAt: bigint('attempted_at', { mode: 'number' }).array().notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.name, t.keyHash] }),
    index('rate_limits_expired').on(t.customerId, t.expiresAt),
  ],
)
