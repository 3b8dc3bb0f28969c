import { and, desc, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Ctx } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { announceChange } from '#api/platform/db/connections.ts'
import { bulkJobItems, bulkJobs, tableJobs } from '#api/platform/db/platform.schema.ts'
import { type BulkItemResult, type BulkKind, shownFailures } from '#contract/admin/bulk.ts'
import type { JobTable, TableJob, TableJobStatus } from '#contract/admin/table-jobs.ts'
import type { BulkJobId, CustomerId, TableJobId } from '#contract/ids.ts'

/** The channel that announces jobs that can go on. The payload is the tenant's id. */
export const bulkChannel = 'marquee_bulk'

/** Tells the open consoles of a job, and with `wakes` also the workers, when it is committed. */
export const announceBulkJob = (db: TenantDb, customerId: CustomerId, { wakes = false } = {}) =>
  announceChange(db, customerId, 'bulk', wakes ? bulkChannel : undefined)

export type BulkJobRow = typeof bulkJobs.$inferSelect

const withFollowing = {
  job: bulkJobs,
  isUndone: sql<boolean>`EXISTS (SELECT FROM bulk_jobs u
  WHERE u.customer_id = bulk_jobs.customer_id AND u.undo_of = bulk_jobs.id)`,
  isRetried: sql<boolean>`EXISTS (SELECT FROM bulk_jobs r
  WHERE r.customer_id = bulk_jobs.customer_id AND r.filters->>'failedOf' = bulk_jobs.id::text
    AND r.status NOT IN ('CANCELLED', 'REFUSED'))`,
}
const jobOf = (customerId: CustomerId, id: BulkJobId) => and(eq(bulkJobs.customerId, customerId), eq(bulkJobs.id, id))

/** A job, and whether others undo it or try it again; null without one. `lock` locks it. */
export const findBulkJob = async (db: TenantDb, customerId: CustomerId, id: BulkJobId, { lock = false } = {}) => {
  // A cluster locks no row of a statement with a subquery.
  if (lock) await db.select({ id: bulkJobs.id }).from(bulkJobs).where(jobOf(customerId, id)).for('update')
  const [row] = await db.select(withFollowing).from(bulkJobs).where(jobOf(customerId, id))
  return row ?? null
}

/** The jobs since a time, the latest first, at most 100. */
export const readBulkJobs = (db: TenantDb, customerId: CustomerId, since: Date) =>
  db
    .select(withFollowing)
    .from(bulkJobs)
    .where(and(eq(bulkJobs.customerId, customerId), gte(bulkJobs.createdAt, since.toISOString())))
    .orderBy(desc(bulkJobs.createdAt), desc(bulkJobs.id))
    .limit(100)

/** The unfinished jobs of a store, the oldest first. */
export const readUnfinishedJobs = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({ id: bulkJobs.id })
    .from(bulkJobs)
    .where(and(eq(bulkJobs.customerId, customerId), isNull(bulkJobs.finishedAt)))
    .orderBy(bulkJobs.createdAt, bulkJobs.id)

type NewJob = typeof bulkJobs.$inferInsert

/** Inserts a job, unless there is one with its id. Returns whether it did. */
export const insertBulkJob = async (db: TenantDb, job: NewJob): Promise<boolean> => {
  const rows = await db.insert(bulkJobs).values(job).onConflictDoNothing().returning({ id: bulkJobs.id })
  return rows.length > 0
}

/** The objects of one statement, whose parameters are limited. */
const itemsAtOnce = 5_000

/** Inserts the objects of a job in their order. */
export const insertBulkItems = async (
  db: TenantDb,
  { customerId, id: jobId }: Pick<NewJob, 'customerId' | 'id'>,
  keys: readonly string[],
) => {
  for (let from = 0; from < keys.length; from += itemsAtOnce) {
    const part = keys.slice(from, from + itemsAtOnce)
    await db.insert(bulkJobItems).values(part.map((key, at) => ({ customerId, jobId, position: from + at, key })))
  }
}

/**
 * Inserts what a job has changed as the objects of one that undoes it, or what failed in it as
 * those of one that tries them again. Nothing can be undone of a member who has been erased.
 * Returns their number.
 */
export const insertItemsOf = async (
  db: TenantDb,
  { customerId, id, undoOf }: NewJob,
  { of, result }: { of: BulkJobId; result: 'CHANGED' | 'FAILED' },
): Promise<number> => {
  const { rowCount } = await db.$client.query(
    `INSERT INTO bulk_job_items (customer_id, job_id, position, key, before)
     SELECT i.customer_id, $2, row_number() OVER (PARTITION BY i.customer_id ORDER BY i.position) - 1, i.key, i.before FROM bulk_job_items i
      WHERE i.customer_id = $1 AND i.job_id = $3 AND i.result = $4${undoOf ? ' AND i.before IS NOT NULL' : ''}`,
    [customerId, id, of, result],
  )
  return rowCount ?? 0
}

/** Locks an unfinished job; null while another process runs it, or once it is finished. */
export const takeBulkJob = async (db: TenantDb, customerId: CustomerId, id: BulkJobId): Promise<BulkJobRow | null> => {
  const where = and(jobOf(customerId, id), isNull(bulkJobs.finishedAt))
  const [row] = await db.select().from(bulkJobs).where(where).for('update', { skipLocked: true })
  return row ?? null
}

/** The next objects of a job. */
export const readBulkItems = (db: TenantDb, { customerId, id, done }: BulkJobRow, size: number) =>
  db
    .select({ position: bulkJobItems.position, key: bulkJobItems.key, before: bulkJobItems.before })
    .from(bulkJobItems)
    .where(and(eq(bulkJobItems.customerId, customerId), eq(bulkJobItems.jobId, id), gte(bulkJobItems.position, done)))
    .orderBy(bulkJobItems.position)
    .limit(size)

/** What became of an object. `before` undoes it. */
export interface BulkOutcome {
  result: BulkItemResult
  reason: string | null
  before?: unknown
}

/** Writes what became of the next objects of a job. */
export const saveBulkOutcomes = async (db: TenantDb, job: BulkJobRow, outcomes: readonly BulkOutcome[]) => {
  const rows = outcomes.map(({ result, reason, before }, at) => ({
    at: job.done + at,
    result,
    reason,
    before: before ?? null,
  }))
  await db.$client.query(
    `UPDATE bulk_job_items i SET result = o.result, reason = o.reason, before = coalesce(nullif(o.before, 'null'), i.before)
       FROM jsonb_to_recordset($3::jsonb) AS o (at int, result text, reason text, before jsonb)
      WHERE i.customer_id = $1 AND i.job_id = $2 AND i.position = o.at`,
    [job.customerId, job.id, JSON.stringify(rows)],
  )
  const count = (result: BulkItemResult) => outcomes.filter((each) => each.result === result).length
  await changeBulkJob(db, job, {
    status: 'RUNNING',
    done: job.done + outcomes.length,
    changed: job.changed + count('CHANGED'),
    failed: job.failed + count('FAILED'),
  })
}

/** Changes columns of a job. */
export const changeBulkJob = async (
  db: TenantDb,
  { customerId, id }: Pick<BulkJobRow, 'customerId' | 'id'>,
  values: Partial<NewJob>,
) => {
  await db.update(bulkJobs).set(values).where(jobOf(customerId, id))
}

/** The address by which staff know an object that has only an id. */
const emails: Partial<Record<BulkKind, string>> = {
  MEMBER_TAGS: `(SELECT nullif(m.email, '') FROM members m WHERE m.customer_id = $1 AND m.id = i.key::uuid)`,
  PARTNERSHIPS: `(SELECT nullif(m.email, '') FROM members m WHERE m.customer_id = $1 AND m.id = i.key::uuid)`,
  MAILS: '(SELECT m."to" FROM mails m WHERE m.customer_id = $1 AND m.id = i.key::uuid)',
}

/** The first failures of a job. */
export const readBulkFailures = async (db: TenantDb, { customerId, id, kind }: BulkJobRow) => {
  const { rows } = await db.$client.query<{ key: string; email: string | null; reason: string }>(
    `SELECT i.key, ${emails[kind] ?? 'NULL'} AS email, coalesce(i.reason, '') AS reason FROM bulk_job_items i
      WHERE i.customer_id = $1 AND i.job_id = $2 AND i.result = 'FAILED' ORDER BY i.position LIMIT ${shownFailures}`,
    [customerId, id],
  )
  return rows
}

/** Inserts an import or export that begins, and tells the open consoles. */
export const insertTableJob = async (db: TenantDb, job: typeof tableJobs.$inferInsert) => {
  await db.insert(tableJobs).values(job)
  await announceChange(db, job.customerId, 'tables')
}

type TableJobChange = Pick<typeof tableJobs.$inferSelect, 'status' | 'rows' | 'problems' | 'finishedAt'>

/**
 * Updates the progress or the end of an import or export that has not ended, with its heartbeat.
 * Returns whether it did.
 */
export const updateTableJob = async (
  db: TenantDb,
  customerId: CustomerId,
  id: TableJobId,
  change: TableJobChange,
): Promise<boolean> => {
  const updated = await db
    .update(tableJobs)
    .set({ ...change, seenAt: sql`now()` })
    .where(and(eq(tableJobs.customerId, customerId), eq(tableJobs.id, id), eq(tableJobs.status, 'RUNNING')))
    .returning({ id: tableJobs.id })
  if (updated.length > 0) await announceChange(db, customerId, 'tables')
  return updated.length > 0
}

/**
 * What the audit log says of an export that is not done: its filters are kept nowhere else, and the
 * rows that it began with.
 */
const exported = sql<{ filters: NonNullable<TableJob['filters']>; rows: number | null } | null>`
  CASE WHEN table_jobs.kind = 'EXPORT' AND table_jobs.status <> 'DONE' THEN (
    SELECT jsonb_build_object('filters', a.detail->'filters', 'rows', a.detail->'rows') FROM audit a
     WHERE a.customer_id = table_jobs.customer_id AND a.subject = 'export:' || table_jobs.table_name
       AND a.at BETWEEN table_jobs.created_at - interval '1 minute' AND table_jobs.created_at
       AND a.detail->>'job' = table_jobs.id::text LIMIT 1) END`

const viewedTableJob = {
  id: tableJobs.id,
  kind: tableJobs.kind,
  table: tableJobs.tableName,
  file: tableJobs.fileName,
  // One that is silent has failed.
  status: sql<TableJobStatus>`CASE WHEN ${tableJobs.status} = 'RUNNING' AND ${tableJobs.seenAt} < now() - interval '1 minute'
    THEN 'FAILED' ELSE ${tableJobs.status} END`,
  rows: tableJobs.rows,
  problems: tableJobs.problems,
  by: tableJobs.actor,
  createdAt: tableJobs.createdAt,
  finishedAt: tableJobs.finishedAt,
  exported,
}
export type TableJobRow = Awaited<ReturnType<typeof readTableJobs>>[number]

/** Imports and exports of some tables since a time, the latest first. */
export const readTableJobs = (
  db: TenantDb,
  customerId: CustomerId,
  { since, tables, limit }: { since: Date; tables: readonly JobTable[]; limit: number },
) =>
  db
    .select(viewedTableJob)
    .from(tableJobs)
    .where(
      and(
        eq(tableJobs.customerId, customerId),
        gte(tableJobs.createdAt, since.toISOString()),
        inArray(tableJobs.tableName, [...tables]),
      ),
    )
    .orderBy(desc(tableJobs.createdAt), desc(tableJobs.id))
    .limit(limit)

/** An import or export, whose row is locked until the transaction ends; null without one. */
export const lockTableJob = async (db: TenantDb, customerId: CustomerId, id: TableJobId) => {
  const where = and(eq(tableJobs.customerId, customerId), eq(tableJobs.id, id))
  // A cluster locks no row of a statement with a subquery.
  await db.select({ id: tableJobs.id }).from(tableJobs).where(where).for('update')
  const [job] = await db.select(viewedTableJob).from(tableJobs).where(where)
  return job ?? null
}

/**
 * Counts the rows that `read` would select with one statement, whose columns are not worked out.
 */
export const countSelected = async (tx: Ctx, read: (tx: Ctx) => Promise<unknown>): Promise<number> => {
  let count = 0
  const counting: pg.PoolClient = Object.create(tx.db.$client, {
    query: {
      value: async (text: string, values: unknown[]) => {
        const { rows } = await tx.db.$client.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM (${text}) AS selected`,
          values,
        )
        count = rows[0]?.count ?? 0
        return { rows: [] }
      },
    },
  })
  await read({ ...tx, db: Object.create(tx.db, { $client: { value: counting } }) })
  return count
}
