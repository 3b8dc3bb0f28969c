import { and, desc, eq, lt } from 'drizzle-orm'
import { type Failure, failure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { type AuditChanges, audit, idempotencyKeys } from '#api/platform/db/platform.schema.ts'
import { type PersonalTexts, patternWithin, searchesWithoutLetters } from '#api/platform/text.ts'
import type { CustomerId, RowId } from '#contract/ids.ts'

/** Appends an entry to the audit log. Who did what and when is never changed. */
export const insertAuditEntry = async (db: TenantDb, row: typeof audit.$inferInsert) => {
  await db.insert(audit).values(row)
}

/** The latest entries of a store's audit log, newest first. */
export const readAuditEntries = (db: TenantDb, customerId: CustomerId, limit: number) =>
  db.select().from(audit).where(eq(audit.customerId, customerId)).orderBy(desc(audit.at)).limit(limit)

export interface AuditPageRow {
  keyset: KeysetPosition
  id: RowId
  at: string
  actor: string
  action: string
  subject: string
  changes: AuditChanges
  detail: Record<string, unknown>
}

export interface AuditPageFilter {
  actors: readonly string[] | null
  /** An action, or its part before a dot. */
  action: string | null
  subject: string | null
  since: Date | null
  until: Date | null
  after: KeysetPosition | null
  size: number
}

/** One more entry than the page has, latest first. */
export const readAuditPage = async (db: TenantDb, customerId: CustomerId, filter: AuditPageFilter) => {
  const { actors, action, subject, since, until, after, size } = filter
  const { rows } = await db.$client.query<AuditPageRow>(
    `SELECT jsonb_build_object('at', at::text, 'id', id) AS keyset, id, at, actor, action, subject, changes, detail
       FROM audit
      WHERE customer_id = $1
        AND ${actors === null ? '$2::text[] IS NULL' : 'actor = ANY($2::text[])'}
        AND ${action === null ? '$3::text IS NULL' : "(action = $3 OR starts_with(action, $3 || '.'))"}
        AND ${subject === null ? '$4::text IS NULL' : 'subject = $4'}
        AND ($5::timestamptz IS NULL OR at >= $5) AND ($6::timestamptz IS NULL OR at < $6)
        AND ${after === null ? '$7::timestamptz IS NULL AND $8::uuid IS NULL' : '(at, id) < ($7::timestamptz, $8::uuid)'}
      ORDER BY at DESC NULLS LAST, id DESC LIMIT $9`,
    [customerId, actors, action, subject, since, until, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

/** What is read to erase somebody: entries about objects, and others in which a text occurs. */
export interface AuditTraces extends PersonalTexts {
  subjects: readonly string[]
}

export type AuditContent = Pick<AuditPageRow, 'id' | 'subject' | 'changes' | 'detail'>

/**
 * The entries with traces of a person, which are locked. Those about staff and the store have none:
 * whoever leaves may be one of the staff. Reads the whole log of the store.
 */
export const lockAuditTraces = async (db: TenantDb, customerId: CustomerId, traces: AuditTraces) => {
  const { subjects, emails, phones, names } = traces
  const texts = [...emails, ...phones].map(patternWithin)
  const { rows } = await db.$client.query<AuditContent>(
    `SELECT id, subject, changes, detail FROM audit
      WHERE customer_id = $1
        AND (subject = ANY($2::text[])
          OR subject !~ '^(staff|staff-invitation|staff-role|operator|store|settings|mail-server)(:|$)'
            AND lower(subject || changes::text || detail::text) LIKE ANY ($3::text[])
          OR subject ~ '^(bulk|export|view):' AND (lower(changes::text || detail::text) LIKE ANY ($4::text[])
            OR jsonb_path_exists(changes, $5::jsonpath) OR jsonb_path_exists(detail, $5::jsonpath)))
        FOR UPDATE`,
    [customerId, subjects, texts, names.map(patternWithin), phones.length > 0 ? searchesWithoutLetters : null],
  )
  return rows
}

/** Replaces what an entry says. Only the erasure of a person does. */
export const rewriteAuditEntry = async (
  db: TenantDb,
  customerId: CustomerId,
  { id, subject, changes, detail }: AuditContent,
) => {
  await db
    .update(audit)
    .set({ subject, changes, detail })
    .where(and(eq(audit.customerId, customerId), eq(audit.id, id)))
}

/** The number of entries about each of some objects. It grows with each. */
export const countAuditEntries = async (
  db: TenantDb,
  customerId: CustomerId,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await db.$client.query<{ subject: string; count: number }>(
    'SELECT subject, count(*)::int AS count FROM audit WHERE customer_id = $1 AND subject = ANY($2) GROUP BY subject',
    [customerId, subjects],
  )
  return new Map(rows.map(({ subject, count }) => [subject, count]))
}

export interface KeyedWrite {
  holder: typeof idempotencyKeys.$inferSelect.holder
  key: string
  procedure: string
  bodyHash: string
}

export type Claim =
  | { code: 'MINE' }
  | { code: 'IN_FLIGHT' }
  | { code: 'REUSED' }
  | { code: 'ANSWERED'; answer: unknown }

const keyRow = (customerId: CustomerId, { holder, key }: Pick<KeyedWrite, 'holder' | 'key'>) =>
  and(eq(idempotencyKeys.customerId, customerId), eq(idempotencyKeys.holder, holder), eq(idempotencyKeys.key, key))

/**
 * Claims a key for a write. A claim whose lock has expired is replaced, because its process ended
 * before it could answer.
 */
export const claimKey = async (
  db: TenantDb,
  customerId: CustomerId,
  write: KeyedWrite,
  time: { now: Date; lockSeconds: number },
): Promise<Claim> => {
  const lockedUntil = new Date(time.now.getTime() + time.lockSeconds * 1000).toISOString()
  const inserted = await db
    .insert(idempotencyKeys)
    .values({ ...write, customerId, lockedUntil, createdAt: time.now.toISOString() })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key })
  if (inserted.length > 0) return { code: 'MINE' }

  const [stored] = await db.select().from(idempotencyKeys).where(keyRow(customerId, write)).for('update')
  // The holder released the key between the two statements. The client may retry.
  if (!stored) return { code: 'IN_FLIGHT' }
  if (stored.procedure !== write.procedure || stored.bodyHash !== write.bodyHash) return { code: 'REUSED' }
  if (stored.status !== null) return { code: 'ANSWERED', answer: stored.answer }
  if (Date.parse(stored.lockedUntil) > time.now.getTime()) return { code: 'IN_FLIGHT' }
  await db.update(idempotencyKeys).set({ lockedUntil }).where(keyRow(customerId, write))
  return { code: 'MINE' }
}

/** Stores the answer of a write, for requests with the same key. */
export const saveAnswer = async (db: TenantDb, customerId: CustomerId, write: KeyedWrite, answer: unknown) => {
  await db.update(idempotencyKeys).set({ status: 200, answer }).where(keyRow(customerId, write))
}

/** Releases a key whose write did nothing. */
export const releaseKey = async (db: TenantDb, customerId: CustomerId, write: KeyedWrite) => {
  await db.delete(idempotencyKeys).where(keyRow(customerId, write))
}

/** Deletes the idempotency keys created before a time. */
export const deleteKeysBefore = async (db: TenantDb, customerId: CustomerId, time: Date) => {
  await db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.customerId, customerId), lt(idempotencyKeys.createdAt, time.toISOString())))
}

/** The hashed key of the counted attempts. Times are in milliseconds. */
interface AttemptKey {
  name: string
  keyHash: string
}

interface Window {
  now: number
  /** Older attempts no longer count. */
  since: number
  max: number
  /**
   * From `pauseAfter` attempts on, each must wait twice as long as the one before. The first wait
   * is in milliseconds.
   */
  pauseAfter: number
  pause: number
}

/**
 * Counts an attempt unless the limit is reached. One statement serializes parallel attempts. Its
 * conditions are functions, because ON CONFLICT has no subqueries in a cluster.
 * Returns the new count, or null if the limit is reached.
 */
export const insertAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  { now, since, max, pauseAfter, pause }: Window,
): Promise<number | null> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `INSERT INTO rate_limits (customer_id, name, key_hash, attempted_at, expires_at)
     VALUES ($1, $2, $3, ARRAY[$4::bigint], $7::timestamptz)
     ON CONFLICT (customer_id, name, key_hash) DO UPDATE
       SET attempted_at = attempts_since(rate_limits.attempted_at, $5) || $4::bigint, expires_at = $7::timestamptz
     WHERE may_attempt(attempts_since(rate_limits.attempted_at, $5), $4, $6, $8, $9)
     RETURNING cardinality(attempted_at) AS count`,
    [customerId, name, keyHash, now, since, max, new Date(now + (now - since)), pauseAfter, pause],
  )
  return rows[0]?.count ?? null
}

/** Returns the number of attempts that still count, and the times of the oldest and the latest. */
export const countAttempts = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  since: number,
) => {
  const { rows } = await db.$client.query<{ count: string; oldest: string | null; latest: string | null }>(
    `SELECT count(*) AS count, min(t) AS oldest, max(t) AS latest
       FROM rate_limits, unnest(attempted_at) t WHERE customer_id = $1 AND name = $2 AND key_hash = $3 AND t > $4`,
    [customerId, name, keyHash, since],
  )
  const [row] = rows
  return { count: Number(row?.count ?? 0), oldest: Number(row?.oldest ?? 0), latest: Number(row?.latest ?? 0) }
}

/** Deletes one attempt by its time. */
export const deleteAttempt = async (
  db: TenantDb,
  customerId: CustomerId,
  { name, keyHash }: AttemptKey,
  at: number,
) => {
  await db.$client.query(
    `UPDATE rate_limits SET attempted_at = attempted_at[:array_position(attempted_at, $4::bigint) - 1] || attempted_at[array_position(attempted_at, $4::bigint) + 1:]
      WHERE customer_id = $1 AND name = $2 AND key_hash = $3 AND $4::bigint = ANY (attempted_at)`,
    [customerId, name, keyHash, at],
  )
}

/** Deletes all attempts of a key. */
export const deleteAttempts = async (db: TenantDb, customerId: CustomerId, { name, keyHash }: AttemptKey) => {
  await db.$client.query('DELETE FROM rate_limits WHERE customer_id = $1 AND name = $2 AND key_hash = $3', [
    customerId,
    name,
    keyHash,
  ])
}

/**
 * The last row of a page: its time as PostgreSQL wrote it, with microseconds, its amount or its
 * text, and its id.
 */
export interface KeysetPosition {
  at: string
  id: string
}

const separator = '~'
const shape = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::?\d\d)?$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a list is sorted by `at`. A text has no NUL, which PostgreSQL does not take. */
const positions = {
  TIME: (at: string) => shape.test(at),
  AMOUNT: (at: string) => /^\d{1,13}$/.test(at),
  TEXT: (at: string) => at !== '' && at.length <= 200 && !at.includes('\0'),
}

/**
 * Returns the position of a cursor; null without one. `by` says what the list is sorted by.
 * Failure: VALIDATION_FAILED.
 */
export const readCursor = (
  cursor: string | undefined,
  by: keyof typeof positions = 'TIME',
): KeysetPosition | null | Failure => {
  if (cursor === undefined) return null
  const parts = Buffer.from(cursor, 'base64url').toString('utf8').split(separator)
  const [id, at] = [parts.pop() ?? '', parts.join(separator)]
  if (positions[by](at) && uuid.test(id)) return { at, id }
  return failure('VALIDATION_FAILED', { errors: { cursor: ['Send the nextCursor of the page before.'] } })
}

const cursorOf = ({ at, id }: KeysetPosition) => Buffer.from(`${at}${separator}${id}`).toString('base64url')

/**
 * Returns a page of rows that were read with one more than `size`. `keyset` of each row is its
 * position; it is left out of the items.
 */
export const keysetPageOf = <Row extends { keyset: KeysetPosition }>(rows: readonly Row[], size: number) => {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return {
    items: shown.map(({ keyset: _, ...item }) => item),
    nextCursor: rows.length > size && last ? cursorOf(last.keyset) : null,
  }
}
