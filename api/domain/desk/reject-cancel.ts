import type { Ctx } from '#api/context.ts'
import { openRequest } from '#api/db/queries/cancel-requests.ts'
import { findOrderByCode, lockOrder } from '#api/db/queries/orders.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { tellRejected } from '#api/domain/refunds/refund-mails.ts'
import { restoreOrder } from '#api/domain/refunds/restore-order.ts'
import type { CancelDecision } from './accept-cancel.ts'
import { audit } from './audit.ts'

const longestReason = 500

/** The desk rejects a cancel request, in words that the member reads; what was bought is open again. */
export const rejectCancel = async (
  ctx: Ctx,
  { code, by, reason }: CancelDecision & { reason: string },
): Promise<{ outcome: 'REJECTED' } | Failure> => {
  const rejection = reason.trim()
  if (rejection === '' || rejection.length > longestReason) {
    return failure('VALIDATION_FAILED', { errors: { reason: [`Say why, in 1 to ${longestReason} characters.`] } })
  }
  const { db, customer } = ctx
  const found = await findOrderByCode(db, customer.id, code)
  const order = found && (await lockOrder(db, customer.id, found.id))
  if (!order) return failure('NOT_FOUND')
  const request = await openRequest(db, customer.id, order.id)
  if (request?.step !== 'PENDING') return failure('CANCEL_NOT_POSSIBLE')
  await restoreOrder(ctx, order, request, { outcome: 'REJECTED', rejection })
  await audit(ctx, { actor: by, action: 'cancel.rejected', subject: `order:${code}`, detail: { reason: rejection } })
  await tellRejected(ctx, order, request.id, rejection)
  return { outcome: 'REJECTED' }
}
