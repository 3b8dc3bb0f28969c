import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, failure, invalidField } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { type OrderCaseKind, orderCaseKinds } from '#contract/admin/queues.ts'
import type { CaseStatus } from '#contract/enumerations.ts'
import type { CaseId } from '#contract/ids.ts'
import { type CaseRow, completeCase, insertCase, lockCase, readCases } from './support.queries.ts'

/** Opens a case for an operator. Returns its id. */
export const openCase = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  opened: Omit<Parameters<typeof insertCase>[1], 'customerId' | 'id' | 'createdAt'>,
) => {
  const id = newId<CaseId>()
  await insertCase(db, { ...opened, customerId: customer.id, id, createdAt: clock.now().toISOString() })
  return id
}

/**
 * Whether staff close the case by hand. Inquiries close by an answer, refunds by a decision or by
 * the payment. No event settles a deposit that the bank reversed after it was paid out.
 */
const isClosable = ({ type, data }: Pick<CaseRow, 'type' | 'data'>) =>
  type === 'ORDER_CANCEL' ? data.kind === 'DEPOSIT_REVERSED' : type !== 'INQUIRY'

const isOrderCaseKind = (kind: unknown): kind is OrderCaseKind => orderCaseKinds.some((one) => one === kind)

/** Cases, oldest first, with the member's email and the order's code. */
export const listCases = async ({ db, customer }: Ctx, status: CaseStatus | undefined, limit: number) => {
  const rows = await readCases(db, customer.id, status, limit)
  return rows.map((row) => ({
    ...row,
    orderKind: row.type === 'ORDER_CANCEL' && isOrderCaseKind(row.data.kind) ? row.data.kind : null,
    closable: row.status === 'WAIT' && isClosable(row),
  }))
}

/**
 * Closes a case that was settled elsewhere. Inquiries close by an answer and cancellations by a
 * decision, so this refuses both.
 */
export const closeCase = async (ctx: Ctx, by: AuditActor, { id, note }: { id: CaseId; note: string }) => {
  const { db, customer, clock } = ctx
  const lockedCase = await lockCase(db, customer.id, id)
  if (!lockedCase) return failure('NOT_FOUND')
  const i18n = messagesOf(ctx.locale)
  if (lockedCase.type === 'INQUIRY') return invalidField('id', i18n._('Answer the inquiry to close its case.'))
  if (lockedCase.type === 'ORDER_CANCEL' && lockedCase.data.kind === 'CANCEL_REQUEST')
    return invalidField('id', i18n._('Accept or reject the request to close its case.'))
  if (lockedCase.status === 'COMPLETE')
    return failure('CONFLICT', { errors: { id: [i18n._('This case is already closed.')] } })
  // Removes the contact of a withdrawn member, which is no longer needed.
  const { contact: _, ...data } = lockedCase.data
  await completeCase(db, lockedCase, data, clock.now())
  await audit(ctx, { actor: by, action: 'case.closed', subject: `case:${id}`, detail: { type: lockedCase.type, note } })
  return { id, subject: lockedCase.subject }
}
