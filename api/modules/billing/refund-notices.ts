import {
  refundAccountMail,
  refundDoneMail,
  refundRejectedMail,
  unappliedReturnedMail,
} from '#api/modules/billing/mails/payments.ts'
import { queueMemberMail } from '#api/modules/identity/profile.ts'
import type { OrderItemRow, OrderRow } from '#api/modules/orders/orders.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { CancelRequestId, CaseId } from '#contract/ids.ts'
import type { CancelRequestRow } from './refunds.queries.ts'
import type { UnappliedCase, UnappliedPayment } from './unapplied-payments.queries.ts'

/** Returns what events say of a request to refund items. `amount` is in minor units. */
export const refundOf = (
  { code: orderCode, memberId, currency }: OrderRow,
  amount: number,
  items: readonly OrderItemRow[],
) => ({ orderCode, memberId, amount: { amount, currency }, productIds: items.map(({ productId }) => productId) })

const toBuyer = (order: OrderRow) => order.memberId

/**
 * Notifies the member of an unapplied payment. A bank payment needs an account for the refund; a
 * card payment is refunded without one.
 */
export const notifyUnappliedPayment = async (
  ctx: Ctx,
  order: OrderRow,
  { amount, currency, needsAccount, ...data }: UnappliedPayment,
) => {
  if (!needsAccount) return
  await queueMemberMail(ctx, toBuyer(order), {
    template: refundAccountMail,
    data: { code: order.code, amount: { amount, currency }, why: 'UNAPPLIED' },
    once: `unapplied:${data.paymentId}:${data.depositId ?? 'whole'}`,
  })
}

/**
 * Asks for an account for a refund that the store started. An order paid by bank has no account to
 * refund to.
 */
export const notifyAccountWanted = (ctx: Ctx, order: OrderRow, { id, amount }: CancelRequestRow) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: refundAccountMail,
    data: { code: order.code, amount: { amount, currency: order.currency }, why: 'REFUND' },
    once: `refund-account:${id}`,
  })

/** Tells the member by mail that an unapplied payment was refunded, once per case. */
export const notifyUnappliedRefunded = (
  ctx: Ctx,
  order: OrderRow,
  caseId: CaseId,
  { amount, currency }: UnappliedPayment,
) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: unappliedReturnedMail,
    data: { code: order.code, amount: { amount, currency } },
    once: `unapplied-returned:${caseId}`,
  })

/** Asks for another account after a refusal. Each refusal sends its own mail. */
export const notifyAccountRefused = (
  ctx: Ctx,
  order: OrderRow,
  { request, unapplied }: { request: CancelRequestRow | null; unapplied: readonly UnappliedCase[] },
) => {
  const amount = unapplied.reduce((sum, { data }) => sum + data.amount, request?.amount ?? 0)
  return queueMemberMail(ctx, toBuyer(order), {
    template: refundAccountMail,
    data: { code: order.code, amount: { amount, currency: order.currency }, why: 'REFUSED' },
  })
}

/** Tells the member by mail what was refunded. */
export const notifyRefunded = (
  ctx: Ctx,
  order: OrderRow,
  refund: { requestId: CancelRequestId; amount: number; items: readonly OrderItemRow[] },
) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: refundDoneMail,
    data: {
      code: order.code,
      amount: { amount: refund.amount, currency: order.currency },
      titles: refund.items.map((item) => item.productTitle),
    },
    once: `refund:${refund.requestId}`,
  })

/** Tells the member by mail why a refund was rejected. */
export const notifyRejected = (ctx: Ctx, order: OrderRow, requestId: CancelRequestId, reason: string) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: refundRejectedMail,
    data: { code: order.code, reason },
    once: `refund-rejected:${requestId}`,
  })
