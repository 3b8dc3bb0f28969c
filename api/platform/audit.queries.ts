import { desc, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { type AuditChanges, audit } from '#api/platform/db/platform.schema.ts'
import type { CustomerId, RowId } from '#contract/ids.ts'
import type { KeysetPosition } from './keyset.ts'

/** Appends an entry to the audit log. Entries are never changed. */
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
  actor: string | null
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
  const { actor, action, subject, since, until, after, size } = filter
  const { rows } = await db.$client.query<AuditPageRow>(
    `SELECT jsonb_build_object('at', at::text, 'id', id) AS keyset, id, at, actor, action, subject, changes, detail
       FROM audit
      WHERE customer_id = $1
        AND ${actor === null ? '$2::text IS NULL' : 'actor = $2'}
        AND ${action === null ? '$3::text IS NULL' : "(action = $3 OR starts_with(action, $3 || '.'))"}
        AND ${subject === null ? '$4::text IS NULL' : 'subject = $4'}
        AND ($5::timestamptz IS NULL OR at >= $5) AND ($6::timestamptz IS NULL OR at < $6)
        AND ${after === null ? '$7::timestamptz IS NULL AND $8::uuid IS NULL' : '(at, id) < ($7::timestamptz, $8::uuid)'}
      ORDER BY at DESC NULLS LAST, id DESC LIMIT $9`,
    [customerId, actor, action, subject, since, until, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}
