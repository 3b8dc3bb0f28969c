import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
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

/**
 * A page of cases with the member's email and the order's code: open ones with the oldest first,
 * closed ones with the latest. Failure: VALIDATION_FAILED for an invalid cursor.
 */
export const pageCases = async (
  { db, customer }: Ctx,
  { status, cursor, size }: { status: CaseStatus; cursor?: string | undefined; size: number },
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const rows = await readCases(db, customer.id, { status, after, size })
  const viewed = rows.map(({ data, completedAt: _, ...row }) => ({
    ...row,
    orderKind: row.type === 'ORDER_CANCEL' && isOrderCaseKind(data.kind) ? data.kind : null,
    closable: row.status === 'WAIT' && isClosable({ type: row.type, data }),
  }))
  return keysetPageOf(viewed, size)
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
  const changes = changesOf({ closed: false }, { closed: true })
  const detail = { type: lockedCase.type, note }
  await audit(ctx, { actor: by, action: 'case.closed', subject: `case:${id}`, changes, detail })
  return { id, subject: lockedCase.subject }
}
