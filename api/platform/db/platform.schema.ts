import { sql } from 'drizzle-orm'
import { bigint, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { BulkItemResult, BulkJobStatus, BulkKind } from '#contract/admin/bulk.ts'
import type { JobTable, TableJobKind, TableJobStatus } from '#contract/admin/table-jobs.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { BulkJobId, MemberId, OperatorTokenId, StaffId, TableJobId } from '#contract/ids.ts'
import { at, createdAt, customerId, id } from './columns.ts'

/** The changed fields of an object. A value that did not exist is null. */
export type AuditChanges = Record<string, { from: unknown; to: unknown }>

/**
 * A person on the command line, a person of the staff by email address, an operators' program by
 * the name of its token, a person of the installation's staff, a member, or a rule of the store.
 */
export type AuditActor =
  | `admin:${string}`
  | `staff:${string}`
  | `operator:${string}`
  | `installation:${string}`
  | `member:${string}`
  | 'rule'

/**
 * The audit log: acts of operators and decisions by rule. Rows are appended. Only the erasure of a
 * person changes what they say.
 */
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

/** Changes of many objects that run in the background, and those of the last 30 days. */
export const bulkJobs = pgTable(
  'bulk_jobs',
  {
    customerId: customerId(),
    id: id<BulkJobId>(),
    kind: text('kind').$type<BulkKind>().notNull(),
    /** What was filtered by, for those who read it. */
    filters: jsonb('filters').$type<Record<string, unknown>>().notNull(),
    change: jsonb('change').$type<Record<string, unknown>>().notNull(),
    actor: text('actor').$type<AuditActor>().notNull(),
    /** The person of the staff or the operator token whose permission is checked again. */
    operatorId: uuid('operator_id').$type<StaffId | OperatorTokenId>().notNull(),
    locale: text('locale').$type<Locale>().notNull(),
    status: text('status').$type<BulkJobStatus>().notNull(),
    total: integer('total').notNull(),
    /** The first objects, of this number, are done. */
    done: integer('done').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    /** The job that this one undoes. */
    undoOf: uuid('undo_of').$type<BulkJobId>(),
    createdAt: createdAt(),
    finishedAt: at('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('bulk_jobs_latest').on(t.customerId, t.createdAt.desc()),
    index('bulk_jobs_unfinished').on(t.customerId).where(sql`finished_at is null`),
  ],
)

/** The objects of a job as they were chosen when it began, and what became of them. */
export const bulkJobItems = pgTable(
  'bulk_job_items',
  {
    customerId: customerId(),
    jobId: uuid('job_id').$type<BulkJobId>().notNull(),
    position: integer('position').notNull(),
    /** The id or the code of the object. */
    key: text('key').notNull(),
    /** Null until its turn has come. */
    result: text('result').$type<BulkItemResult>(),
    /** Why it failed. */
    reason: text('reason'),
    /** What undoes it; null where nothing was changed, or cannot be undone. */
    before: jsonb('before').$type<unknown>(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.jobId, t.position] }),
    foreignKey({ columns: [t.customerId, t.jobId], foreignColumns: [bulkJobs.customerId, bulkJobs.id] }).onDelete(
      'cascade',
    ),
  ],
)

/** Imports and exports of tables that are under way, and those of the last 30 days. */
export const tableJobs = pgTable(
  'table_jobs',
  {
    customerId: customerId(),
    id: id<TableJobId>(),
    kind: text('kind').$type<TableJobKind>().notNull(),
    tableName: text('table_name').$type<JobTable>().notNull(),
    /** The file of an import; null for an export. */
    fileName: text('file_name'),
    actor: text('actor').$type<AuditActor>().notNull(),
    status: text('status').$type<TableJobStatus>().notNull().default('RUNNING'),
    /** The rows that are read so far. */
    rows: integer('rows').notNull().default(0),
    /** The problems for which an import was refused. */
    problems: integer('problems').notNull().default(0),
    createdAt: createdAt(),
    /** The time of the last heartbeat, by the clock of the database. */
    seenAt: at('seen_at').notNull().default(sql`now()`),
    finishedAt: at('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('table_jobs_latest').on(t.customerId, t.createdAt.desc()),
  ],
)
