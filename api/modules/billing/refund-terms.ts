import {
  refundAccountMail,
  refundDoneMail,
  refundRejectedMail,
  unappliedReturnedMail,
} from '#api/modules/billing/mails/payments.ts'
import { cancelUntil } from '#api/modules/entitlements/entitlements.ts'
import { queueMemberMail } from '#api/modules/identity/profile.ts'
import type { OrderItemRow, OrderRow } from '#api/modules/orders/orders.queries.ts'
import { leftOfItem } from '#api/modules/orders/orders.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { CancelRequestId, CaseId, OrderItemId, ProductId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { stateOf } from './payment-states.ts'
import type { CancelRequestRow } from './refunds.queries.ts'
import type { UnappliedCase, UnappliedPayment } from './unapplied-payments.queries.ts'

/**
 * The cancellation terms of an order for its member. Amounts are in minor units of the order's
 * currency.
 */
export interface CancelTerms extends Omit<Order['cancel'], 'amount' | 'itemIds' | 'reviewItemIds'> {
  amount: number
  itemIds: OrderItemId[]
  reviewItemIds: OrderItemId[]
}

export interface CancelSubject {
  order: Pick<OrderRow, 'status' | 'method' | 'paidAt' | 'totalAmount'>
  items: readonly Pick<
    OrderItemRow,
    'id' | 'productId' | 'openedAt' | 'refundedAt' | 'priceAmount' | 'refundedAmount'
  >[]
  /** Ids of the products that have content to watch or download. */
  ready: ReadonlySet<ProductId>
  /** The open request. */
  request: Pick<CancelRequestRow, 'step' | 'itemIds' | 'amount'> | null
  refundDays: number
  now: Date
}

/**
 * Returns the refund terms of an order. Within the refund period, every item can be requested.
 * Unopened items paid by card are refunded at once, by rule; an operator decides about the others.
 * An unopened item remains refundable on its own. Items without any content are refunded at once at
 * any time, whatever the payment method.
 */
export const cancelTerms = ({ order, items, ready, request, refundDays, now }: CancelSubject): CancelTerms => {
  const none = (why: CancelTerms['why']): CancelTerms => ({
    action: 'NONE',
    why,
    automatic: false,
    itemIds: [],
    reviewItemIds: [],
    amount: 0,
    until: null,
    needsAccount: false,
  })
  const remaining = items.filter((item) => item.refundedAt === null)
  const state = stateOf(order)
  switch (state) {
    case 'DRAFT':
    case 'PAYMENT_FAIL':
      return none('NOT_PAID')
    case 'CANCEL_COMPLETE':
      return none('DONE')
    case 'DEPOSIT_WAITING':
      return { ...none(null), action: 'DEPOSIT', automatic: true, itemIds: remaining.map((item) => item.id) }
    case 'CANCEL_REQUEST':
      if (request?.step !== 'PENDING') return none('UNDER_WAY')
      return { ...none(null), action: 'WITHDRAW', itemIds: request.itemIds, amount: request.amount }
    case 'PAYMENT_COMPLETE':
      break
    default:
      state satisfies never
  }
  const until = cancelUntil(order, refundDays)
  if (until === null) return none('NOT_PAID')
  if (remaining.length === 0) return none('DONE')
  const isLate = Date.parse(until) <= now.getTime()
  const isMissing = (item: (typeof remaining)[number]) => item.openedAt === null && !ready.has(item.productId)
  const inTime = isLate ? remaining.filter(isMissing) : remaining
  if (inTime.length === 0) return none('TOO_LATE')
  const unopened = inTime.filter((item) => item.openedAt === null)
  const opened = inTime.filter((item) => item.openedAt !== null)
  const chosen = unopened.length > 0 ? unopened : opened
  return {
    action: 'REFUND',
    why: unopened.length > 0 ? null : 'ALL_OPENED',
    automatic: unopened.length > 0 && (order.method === 'CARD' || unopened.every(isMissing)),
    itemIds: chosen.map((item) => item.id),
    reviewItemIds: opened.map((item) => item.id),
    amount: chosen.reduce((sum, item) => sum + leftOfItem(item), 0),
    until: isLate ? null : until,
    needsAccount: order.method === 'BANK',
  }
}

/**
 * Returns what the rule gives without a decision of staff: of titles that were opened, a member may
 * only ask for it.
 */
export const givenByRule = ({ action, why, itemIds, amount }: CancelTerms): Pick<CancelTerms, 'itemIds' | 'amount'> =>
  action === 'NONE' || why === 'ALL_OPENED' ? { itemIds: [], amount: 0 } : { itemIds, amount }

/** Whether a request waits for the bank account of the member. */
export const needsAccount = (
  { method }: Pick<OrderRow, 'method'>,
  { step, outcome, refundAccount }: Pick<CancelRequestRow, 'step' | 'outcome' | 'refundAccount'>,
): boolean => outcome === null && step === 'ACCEPT' && method === 'BANK' && refundAccount === null

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
