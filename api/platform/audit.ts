import { newId } from '#api/platform/db/columns.ts'
import { insertAuditEntry } from './audit.queries.ts'
import type { Ctx, Customer } from './context.ts'

/** Who acted: a person on the command line, a program of the operators by its bearer's name, a member, or a rule of the store. */
export type AuditActor = `admin:${string}` | `operator:${string}` | `member:${string}` | 'rule'

export interface AuditEntry {
  actor: AuditActor
  /** A verb in the past: `cancel.accepted`, `inquiry.answered`. */
  action: string
  /** `order:{code}`, `inquiry:{code}`, `member:{id}`, … */
  subject: string
  detail?: Record<string, unknown>
}

/** Writes an entry into the audit log, in the transaction of the act. */
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
