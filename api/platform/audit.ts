import { newId } from '#api/platform/db/columns.ts'
import { insertAuditEntry, readAuditEntries } from './audit.queries.ts'
import type { Ctx, Customer } from './context.ts'

/**
 * A person on the command line, an operators' program by the name of its token, a member, or a rule
 * of the store.
 */
export type AuditActor = `admin:${string}` | `operator:${string}` | `member:${string}` | 'rule'

export interface AuditEntry {
  actor: AuditActor
  /** A past participle: `cancel.accepted`, `inquiry.answered`. */
  action: string
  /** `order:{code}`, `inquiry:{code}`, `member:{id}`, … */
  subject: string
  detail?: Record<string, unknown>
}

/** Writes an audit entry in the transaction of the action. */
export const audit = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> },
  entry: AuditEntry,
) => {
  await insertAuditEntry(db, {
    customerId: customer.id,
    id: newId(),
    at: clock.now().toISOString(),
    detail: {},
    ...entry,
  })
}

/** Returns the latest entries of the store's audit log, newest first. */
export const listAuditEntries = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, limit: number) =>
  readAuditEntries(db, customer.id, limit)
