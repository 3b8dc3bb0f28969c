import { lockOrderByCode } from '#api/modules/orders/orders.queries.ts'
import { changeOrder } from '#api/modules/orders/orders.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MemberId, OrderCode, PaymentId } from '#contract/ids.ts'
import { lockPayer } from './cards.queries.ts'
import { refuseDay, type Transfer } from './manual-deposits.ts'
import type { PaymentCtx } from './payment-states.ts'
import { manualProvider, paidPayment, updatePayment } from './payments.queries.ts'
import { refundPayment } from './refund-payments.ts'
import { finishRequest, restoreOrder } from './refund-states.ts'
import { needsAccount, notifyRejected } from './refund-terms.ts'
import {
  completeRefusedRefund,
  moveCase,
  openRequest,
  refusalsOf,
  saveRefusedRefund,
  updateRequest,
} from './refunds.queries.ts'

export interface CancelDecision {
  code: OrderCode
  by: AuditActor
}

/**
 * Accepts a cancel request. The provider refunds at once if it can; otherwise the refund is retried
 * with growing delays. Returns the progress. Fails with NOT_FOUND if there is no such order, and
 * with CANCEL_NOT_POSSIBLE if no request waits for a decision.
 */
export const acceptCancel = async (
  ctx: PaymentCtx,
  decision: CancelDecision,
): Promise<{ step: 'ACCEPT' | 'REFUND' } | Failure> => {
  const accepted = await ctx.inTransaction((tx) => accept(tx, decision))
  if (isFailure(accepted)) return accepted
  await refundPayment(ctx, accepted.paymentId)
  const remaining = await ctx.inTransaction((tx) => openRequest(tx.db, tx.customer.id, accepted.orderId))
  return { step: remaining ? 'ACCEPT' : 'REFUND' }
}

const accept = async (ctx: Ctx, { code, by }: CancelDecision) => {
  const { db, customer, clock } = ctx
  const order = await lockOrderByCode(db, customer.id, code)
  if (!order) return failure('NOT_FOUND')
  const request = await openRequest(db, customer.id, order.id)
  const payment = await paidPayment(db, customer.id, order.id)
  if (request?.step !== 'PENDING' || !payment) return failure('CANCEL_NOT_POSSIBLE')
  const now = clock.now()
  const at = now.toISOString()
  await updateRequest(db, request, { step: 'ACCEPT', decidedAt: at, nextAttemptAt: at })
  await changeOrder(ctx, order, { refundStep: 'ACCEPT' }, { type: 'CANCEL_ACCEPTED', amount: request.amount })
  if (request.caseId) await moveCase(db, customer.id, request.caseId, 'COMPLETE', now)
  const detail = { amount: request.amount, currency: request.currency }
  await audit(ctx, { actor: by, action: 'cancel.accepted', subject: `order:${code}`, detail })
  return { orderId: order.id, paymentId: payment.id }
}

const longestReason = 500

/**
 * Rejects a cancel request with a reason that the member reads, and restores access to the items.
 * Fails with VALIDATION_FAILED for an empty or too long reason, with NOT_FOUND if there is no such
 * order, and with CANCEL_NOT_POSSIBLE if no request waits for a decision.
 */
export const rejectCancel = async (
  ctx: Ctx,
  { code, by, reason }: CancelDecision & { reason: string },
): Promise<{ outcome: 'REJECTED' } | Failure> => {
  const rejection = reason.trim()
  const i18n = messagesOf(ctx.locale)
  if (rejection === '' || rejection.length > longestReason)
    return invalidField('reason', i18n._('Enter a reason of 1 to {max} characters.', { max: longestReason }))
  const { db, customer } = ctx
  const order = await lockOrderByCode(db, customer.id, code)
  if (!order) return failure('NOT_FOUND')
  const request = await openRequest(db, customer.id, order.id)
  if (request?.step !== 'PENDING') return failure('CANCEL_NOT_POSSIBLE')
  await restoreOrder(ctx, order, request, { outcome: 'REJECTED', rejection })
  await audit(ctx, { actor: by, action: 'cancel.rejected', subject: `order:${code}`, detail: { reason: rejection } })
  await notifyRejected(ctx, order, request.id, rejection)
  return { outcome: 'REJECTED' }
}

/** Retries follow after 2, 4, 8, … minutes, at most a day apart. */
const pauseMilliseconds = (attempts: number) => Math.min(2 ** attempts, 24 * 60) * 60_000

/** A charge of a subscription. `amount` is in minor units of its currency. */
interface RefusedCharge {
  id: PaymentId
  memberId: MemberId
  amount: number
  /** What is to be refunded of it in all. */
  total: number
  currency: string
}

/**
 * Records that the provider refuses the refund of a charge: a case for an operator, one per charge,
 * with the time of the next retry.
 */
export const recordRefusedRefund = async (
  { db, customer, clock }: Ctx,
  { id: chargeId, memberId, amount, total, currency }: RefusedCharge,
  reason: string,
) => {
  await lockPayer(db, memberId)
  const now = clock.now()
  const attempts = (await refusalsOf(db, customer.id, chargeId)) + 1
  const nextAttemptAt = new Date(now.getTime() + pauseMilliseconds(attempts)).toISOString()
  const data = {
    kind: 'CHARGE_REFUND_REFUSED',
    chargeId,
    amount,
    total,
    currency,
    reason,
    attempts,
    nextAttemptAt,
  } as const
  const subject = `The refund of the charge ${chargeId} of a subscription was refused`
  await saveRefusedRefund(db, customer.id, { memberId, subject, data }, now)
}

/** Closes the case of a charge after its refund succeeded. */
export const closeRefusedRefund = ({ db, customer, clock }: Ctx, chargeId: PaymentId) =>
  completeRefusedRefund(db, customer.id, chargeId, clock.now())

/**
 * Records that staff paid out an accepted refund: of an order whose payment they had recorded
 * themselves, or of a bank payment whose member has not given an account. Fails with NOT_FOUND,
 * CANCEL_NOT_POSSIBLE if no such refund is open, and VALIDATION_FAILED for a day in the future.
 */
export const recordRefundTransfer = async (
  ctx: Ctx,
  { code, reference, day, by }: Transfer & { code: OrderCode; by: AuditActor },
): Promise<Failure | undefined> => {
  const { db, customer } = ctx
  const order = await lockOrderByCode(db, customer.id, code)
  if (!order) return failure('NOT_FOUND')
  const request = await openRequest(db, customer.id, order.id)
  const payment = await paidPayment(db, customer.id, order.id)
  const isManual = payment?.provider === manualProvider
  // With an account, its provider may be paying it out at this moment.
  if (!payment || request?.step !== 'ACCEPT' || !(isManual || needsAccount(order, request)))
    return failure('CANCEL_NOT_POSSIBLE')
  const refused = refuseDay(ctx, { reference, day })
  if (refused) return refused
  const { amount, currency } = request
  await finishRequest(ctx, order, request, 'REQUESTED', reference)
  // A provider is told what it has refunded in all, to which this does not belong.
  if (isManual) await updatePayment(db, payment, { refundedAmount: payment.refundedAmount + amount })
  await audit(ctx, {
    actor: by,
    action: 'refund.transferred',
    subject: `order:${code}`,
    changes: { refunded: { from: order.refundedAmount, to: order.refundedAmount + amount } },
    detail: { amount, currency, day },
  })
  return undefined
}
