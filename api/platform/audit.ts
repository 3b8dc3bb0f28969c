import { desc, eq } from 'drizzle-orm'
import { newId } from '#api/platform/db/columns.ts'
import { audit as auditTable } from './audit.schema.ts'
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

/** Writes down an act, in the transaction that does it. */
export const audit = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'clock'> & { customer: Pick<Customer, 'id'> },
  entry: AuditEntry,
) => {
  await db
    .insert(auditTable)
    .values({ customerId: customer.id, id: newId(), at: clock.now().toISOString(), detail: {}, ...entry })
}

/** The latest entries of a store's audit log, newest first. */
export const listAudit = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, limit: number) =>
  db.select().from(auditTable).where(eq(auditTable.customerId, customer.id)).orderBy(desc(auditTable.at)).limit(limit)
