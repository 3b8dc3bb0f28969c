import { ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { recordOrderEvent } from '#api/modules/orders/orders.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { PaymentId } from '#contract/ids.ts'
import { merchantOf, type PaymentCtx } from './payment-states.ts'
import { lockPayment, manualProvider, updatePayment } from './payments.queries.ts'
import { type DueRefund, decryptAccount, finishRequest, postpone } from './refund-states.ts'
import { notifyUnappliedRefunded } from './refund-terms.ts'
import { dueRequests, openRequest, updateRequest } from './refunds.queries.ts'
import { closeUnappliedCase, dueUnappliedPayments, unappliedCasesOf } from './unapplied-payments.queries.ts'

/**
 * Refunds everything that a payment owes: unapplied money and the amount of an accepted request.
 * The provider receives the total, outside any transaction, so that a repeat, a race or a crash
 * refunds nothing twice. If the provider refuses or is unavailable, nothing changes and the refund
 * is retried with growing delays.
 */
export const refundPayment = async (ctx: PaymentCtx, paymentId: PaymentId): Promise<void> => {
  const due = await ctx.inTransaction((tx) => findDueRefund(tx, paymentId, ctx.encryptionSecret))
  if (!due) return
  const refusal = await refuse(ctx, due)
  await ctx.inTransaction((tx) => (refusal === null ? close(tx, due) : postpone(tx, due, refusal)))
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

const findDueRefund = async (ctx: Ctx, paymentId: PaymentId, encryptionSecret: string): Promise<DueRefund | null> => {
  const { db, customer } = ctx
  const locked = await lockPayment(db, customer.id, paymentId)
  if (!locked) return null
  const { order, payment } = locked
  // Staff transfer it and record that.
  if (payment.provider === manualProvider) return null
  const open = payment.status === 'PAID' ? await openRequest(db, customer.id, order.id) : null
  const accepted = open?.step === 'ACCEPT' ? open : null
  const cases = (await unappliedCasesOf(db, customer.id, order.id)).filter(
    (refundCase) => refundCase.open && refundCase.data.paymentId === payment.id,
  )
  const bank = payment.method === 'BANK'
  // A bank refund needs an account, so the member is asked for one first.
  const request = accepted && (!bank || accepted.refundAccount) ? accepted : null
  const unapplied = bank ? cases.filter(({ data }) => data.account) : cases
  if (!request && unapplied.length === 0) return null
  const encrypted = request?.refundAccount ?? unapplied.at(-1)?.data.account
  const total = payment.refundedAmount + sum([request?.amount ?? 0, ...unapplied.map(({ data }) => data.amount)])
  // Written before the call: the answer may be lost.
  if (request) await updateRequest(db, request, { refundTotal: total })
  return {
    order,
    payment,
    request,
    unapplied,
    total,
    account: bank && encrypted ? decryptAccount(encryptionSecret, encrypted) : null,
  }
}

/**
 * Requests the refund from the provider. Returns null on success, otherwise the reason of the
 * refusal.
 */
const refuse = async (ctx: PaymentCtx, { payment, request, total, account }: DueRefund): Promise<string | null> => {
  const paymentId = payment.id
  try {
    const answer = await ctx
      .providerNamed(payment.provider)
      .refund(merchantOf(ctx), paymentId, total, account ?? undefined, request !== null)
    if (answer.code === 'REFUNDED') return null
    ctx.log.error({ paymentId, reason: answer.reason }, 'The provider refused a refund')
    return answer.reason
  } catch (error) {
    if (error instanceof ProviderUnavailable) ctx.log.warn({ paymentId }, 'A refund could not be completed yet')
    else ctx.log.error({ err: error, paymentId }, 'A refund failed')
    return 'PROVIDER_UNAVAILABLE'
  }
}

/**
 * Records what was refunded. Each part is recorded once, even if another process refunded it at the
 * same time.
 */
const close = async (ctx: Ctx, due: DueRefund) => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const locked = await lockPayment(db, customer.id, due.payment.id)
  if (!locked) return
  const { order, payment } = locked
  let refundedTotal = 0
  for (const { id, data } of due.unapplied) {
    if (!(await closeUnappliedCase(db, customer.id, id, 'RETURNED', now))) continue
    refundedTotal += data.amount
    const { amount, reason: detail } = data
    await recordOrderEvent(ctx, order, { type: 'UNAPPLIED_PAYMENT_REFUNDED', amount, detail })
    await notifyUnappliedRefunded(ctx, order, id, data)
  }
  const request = due.request && (await openRequest(db, customer.id, order.id))
  if (request && request.id === due.request?.id) {
    refundedTotal += request.amount
    await finishRequest(ctx, order, request, 'REQUESTED')
  }
  if (refundedTotal > 0) await updatePayment(db, payment, { refundedAmount: payment.refundedAmount + refundedTotal })
}

const batchSize = 100

/**
 * Pays the due refunds of one tenant as far as the provider accepts them. A payment that throws
 * does not delay others.
 */
export const refundDue = async (ctx: PaymentCtx): Promise<void> => {
  const due = await ctx.inTransaction(async ({ db, customer, clock }) => [
    ...(await dueRequests(db, customer.id, clock.now(), batchSize)),
    ...(await dueUnappliedPayments(db, customer.id, clock.now(), batchSize)),
  ])
  for (const paymentId of new Set(due)) {
    try {
      await refundPayment(ctx, paymentId)
    } catch (error) {
      ctx.log.error({ err: error, paymentId }, 'A refund failed')
    }
  }
}
