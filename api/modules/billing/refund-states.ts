import type { RefundAccount } from '#api/modules/billing/providers/provider.ts'
import { restoreEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { findOrderById, itemsOf, lockOrder, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import {
  changeOrder,
  endRefundedItems,
  nextOrderState,
  recordOrderEvent,
  refundPartOfItem,
} from '#api/modules/orders/orders.ts'
import type { Ctx } from '#api/platform/context.ts'
import { decrypt, encrypt } from '#api/platform/crypto.ts'
import { emit } from '#api/platform/events.ts'
import type { CaseId, OrderId, PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { type Answer, stateOf } from './payment-states.ts'
import { findPayment, type PaymentRow } from './payments.queries.ts'
import { notifyAccountRefused, notifyRefunded, notifyUnappliedPayment, refundOf } from './refund-terms.ts'
import { type CancelRequestRow, moveCase, openOrderCase, openRequest, updateRequest } from './refunds.queries.ts'
import {
  closeUnappliedCase,
  markReversed,
  openUnappliedCase,
  type UnappliedCase,
  type UnappliedPayment,
  unappliedCasesOf,
  updateUnappliedCase,
} from './unapplied-payments.queries.ts'

/** The amount that one payment owes at a given time. */
export interface DueRefund {
  order: OrderRow
  payment: PaymentRow
  /** The accepted request, or null. */
  request: CancelRequestRow | null
  unapplied: UnappliedCase[]
  /**
   * The cumulative total, including earlier refunds. Naming the total makes a repeated call
   * harmless.
   */
  total: number
  account: RefundAccount | null
}

/**
 * Completes a refunded request: marks its items as refunded and ends their rights. The order is
 * cancelled, or remains paid if some items were not refunded. A request that keeps its item refunds
 * a part of its price alone. ALL means that the bank took back
 * all of the order's money, whatever was requested. `reference` is that of a transfer by staff.
 * Requires the order's lock.
 */
export const finishRequest = async (
  ctx: Ctx,
  order: OrderRow,
  request: CancelRequestRow,
  how: 'REQUESTED' | 'ALL',
  reference?: string,
) => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const items = await itemsOf(db, customer.id, [order.id])
  const remaining = items.filter((item) => item.refundedAt === null)
  const requested = remaining.filter((item) => request.itemIds.includes(item.id))
  const isPart = how === 'REQUESTED' && request.keepsItems
  const back = how === 'ALL' ? remaining : isPart ? [] : requested
  const all = back.length === remaining.length
  const status = nextOrderState(stateOf(order), all ? 'REFUNDED' : 'PARTLY_REFUNDED')
  if (status === null) throw new Error(`Order ${order.code} cannot be refunded while it is ${order.status}.`)

  const amount = how === 'ALL' ? order.totalAmount - order.refundedAmount : request.amount
  await updateRequest(db, request, {
    step: 'REFUND',
    outcome: 'REFUNDED',
    refundedAt: now.toISOString(),
    refundAccount: null,
    failure: null,
    nextAttemptAt: null,
    amount,
    // The bank reversed the whole deposit.
    ...(how === 'ALL' && { itemIds: back.map((item) => item.id) }),
  })
  const [part] = isPart ? requested : []
  if (part) await refundPartOfItem(ctx, part.id, amount)
  await endRefundedItems(
    ctx,
    back.map((item) => item.id),
  )
  const titles = requested.map(({ productTitle }) => productTitle).join(', ')
  // The timeline already shows money that the bank took back itself.
  const event =
    how === 'ALL'
      ? { type: 'CANCELLED' as const }
      : { type: all ? ('REFUNDED' as const) : ('PARTLY_REFUNDED' as const), amount, detail: reference ?? titles }
  const change = { status, refundStep: 'REFUND', refundedAmount: order.refundedAmount + amount } as const
  await changeOrder(ctx, order, change, event)
  if (request.caseId) await moveCase(db, customer.id, request.caseId, 'COMPLETE', now)
  const { code: orderCode, memberId, currency } = order
  await emit(ctx, 'orderRefunded', {
    orderCode,
    memberId,
    amount: { amount, currency },
    refundedTotal: { amount: change.refundedAmount, currency },
    whole: all,
    productIds: back.map(({ productId }) => productId),
  })
  if (amount > 0) await notifyRefunded(ctx, order, { requestId: request.id, amount, items: part ? [part] : back })
}

/**
 * Ends a request without a refund: the order is paid as before and its rights are restored.
 * Requires the order's lock.
 */
export const restoreOrder = async (
  ctx: Ctx,
  order: OrderRow,
  request: CancelRequestRow,
  end: { outcome: 'WITHDRAWN' } | { outcome: 'REJECTED'; rejection: string },
) => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const withdrawn = end.outcome === 'WITHDRAWN'
  const status = nextOrderState(stateOf(order), withdrawn ? 'CANCEL_WITHDRAWN' : 'CANCEL_REJECTED')
  if (status === null) throw new Error(`Order ${order.code} has a request and is ${order.status}.`)
  await updateRequest(db, request, { ...end, decidedAt: now.toISOString(), refundAccount: null })
  await restoreEntitlements(ctx, request.itemIds)
  const event = withdrawn
    ? ({ type: 'CANCEL_WITHDRAWN' } as const)
    : ({ type: 'CANCEL_REJECTED', detail: end.rejection } as const)
  await changeOrder(ctx, order, { status, refundStep: null, refundReason: null }, event)
  const items = (await itemsOf(db, customer.id, [order.id])).filter(({ id }) => request.itemIds.includes(id))
  await emit(ctx, withdrawn ? 'refundWithdrawn' : 'refundRejected', refundOf(order, request.amount, items))
  if (request.caseId) await moveCase(db, customer.id, request.caseId, 'COMPLETE', now)
}

/** Minutes. Retries follow after 1, 2, 4, … minutes, at most a day apart. */
const longestPause = 24 * 60
const pauseMilliseconds = (attempts: number) => Math.min(2 ** attempts, longestPause) * 60_000

/** The bank does not know the account. A retry is useless until the member gives another. */
const accountReasons = new Set(['ACCOUNT_REFUSED', 'ACCOUNT_MISSING'])

/**
 * Schedules a retry of a failed refund with growing delays. A refusal is shown on the order and
 * opens a case. An account that the bank refuses is erased, and the member is asked for another.
 */
export const postpone = async (ctx: Ctx, due: DueRefund, reason: string) => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const order = await lockOrder(db, customer.id, due.order.id)
  if (!order) return
  const badAccount = accountReasons.has(reason)
  const nextAttemptTime = (attempts: number) => new Date(now.getTime() + pauseMilliseconds(attempts)).toISOString()

  for (const { id, data } of due.unapplied) {
    const attempts = data.attempts ?? 0
    const retry = { attempts: attempts + 1, nextAttemptAt: nextAttemptTime(attempts) }
    await updateUnappliedCase(db, customer.id, id, badAccount ? { ...retry, needsAccount: true, account: null } : retry)
  }
  const request = due.request && (await openRequest(db, customer.id, order.id))
  const openRequestOfDue = request && request.id === due.request?.id ? request : null
  if (openRequestOfDue) {
    const caseId = await openRefusalCase(ctx, due, openRequestOfDue.caseId, reason)
    await updateRequest(db, openRequestOfDue, {
      attempts: openRequestOfDue.attempts + 1,
      failure: reason,
      caseId,
      ...(badAccount
        ? { refundAccount: null, nextAttemptAt: null }
        : { nextAttemptAt: nextAttemptTime(openRequestOfDue.attempts) }),
    })
  }
  const reported = openRequestOfDue?.failure === reason || due.unapplied.some(({ data }) => (data.attempts ?? 0) > 0)
  if (reason !== 'PROVIDER_UNAVAILABLE' && !reported) {
    await recordOrderEvent(ctx, order, { type: 'REFUND_FAILED', detail: reason })
  }
  if (badAccount) await notifyAccountRefused(ctx, order, due)
}

/**
 * A refusal needs an operator, even if a rule accepted the request. A provider that does not answer
 * needs none.
 */
const openRefusalCase = async (
  ctx: Ctx,
  due: DueRefund,
  caseId: CaseId | null,
  reason: string,
): Promise<CaseId | null> => {
  if (reason === 'PROVIDER_UNAVAILABLE') return caseId
  const { db, customer, clock } = ctx
  if (caseId) {
    await moveCase(db, customer.id, caseId, 'WAIT', clock.now())
    return caseId
  }
  const { order, payment } = due
  const subject = `The refund of order ${order.code} was refused`
  const data = { kind: 'REFUND_REFUSED', paymentId: payment.id, reason }
  return openOrderCase(db, customer.id, { memberId: order.memberId, orderId: order.id, subject, data }, clock.now())
}

/** Encrypts a refund account for storage. */
export const encryptAccount = (secret: string, account: RefundAccount) => encrypt(secret, JSON.stringify(account))

/** Decrypts a refund account. `encryptAccount` has written it. */
export const decryptAccount = (secret: string, encrypted: string) =>
  JSON.parse(decrypt(secret, encrypted)) as RefundAccount

/**
 * Records unapplied deposits in a payment's account, with one case for each. Closes cases whose
 * deposit the bank has reversed itself. If the store had paid that money out before it knew, staff
 * get a case. Returns true if money has arrived that must be refunded.
 */
export const recordUnappliedDeposits = async (ctx: Ctx, orderId: OrderId, paymentId: PaymentId, answer: Answer) => {
  const { db, customer, clock } = ctx
  const unapplied = await unappliedCasesOf(db, customer.id, orderId)
  const ofPayment = unapplied.filter(({ data }) => data.paymentId === paymentId && data.depositId !== null)
  const fresh = answer.unapplied.filter(({ id }) => !ofPayment.some(({ data }) => data.depositId === id))
  const reversed = ofPayment.filter(
    ({ createdAt, data }) =>
      data.outcome !== 'REVERSED' &&
      !data.reversed &&
      Date.parse(createdAt) < answer.queriedAt.getTime() &&
      !answer.unapplied.some(({ id }) => id === data.depositId),
  )
  if (fresh.length === 0 && reversed.length === 0) return false
  // Read after the payment is settled: the reason depends on whether the order still waits for it.
  const order = await findOrderById(db, customer.id, orderId)
  const payment = await findPayment(db, customer.id, paymentId)
  if (!order || !payment) return false
  for (const { data, id, open } of reversed) {
    if (open) await closeUnappliedCase(db, customer.id, id, 'REVERSED', clock.now())
    else await openPaidOutCase(ctx, order, id, data)
    await recordOrderEvent(ctx, order, { type: 'DEPOSIT_REVERSED', amount: data.amount })
  }
  for (const { id, amount } of fresh) {
    await recordUnapplied(ctx, order, payment, {
      depositId: id,
      amount,
      currency: payment.currency,
      reason: reasonOf(payment),
    })
  }
  return fresh.length > 0
}

/** Opens a case for a deposit that was refunded or applied before the bank reversed it. */
const openPaidOutCase = async ({ db, customer, clock }: Ctx, order: OrderRow, id: CaseId, money: UnappliedPayment) => {
  const { paymentId, depositId, amount, currency } = money
  await markReversed(db, customer.id, id)
  const subject = `An unapplied deposit for order ${order.code} was reversed after it had been paid out`
  const data = { kind: 'DEPOSIT_REVERSED', paymentId, depositId, amount, currency, refundedAmount: amount }
  await openOrderCase(db, customer.id, { memberId: order.memberId, orderId: order.id, subject, data }, clock.now())
}

/** Records, once, that a whole payment is unapplied. */
export const recordUnappliedPayment = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  { amount, currency }: Money,
  reason: 'LATE' | 'AMOUNT_MISMATCH',
) => {
  const unapplied = await unappliedCasesOf(ctx.db, ctx.customer.id, order.id)
  if (unapplied.some(({ data }) => data.paymentId === payment.id && (data.depositId ?? null) === null)) return
  await recordUnapplied(ctx, order, payment, { depositId: null, amount, currency, reason })
}

const reasonOf = ({ status }: PaymentRow): UnappliedPayment['reason'] => {
  if (status === 'PAID') return 'SURPLUS'
  return status === 'READY' || status === 'PROCESSING' ? 'AMOUNT_MISMATCH' : 'LATE'
}

/**
 * Opens a case for money that the order does not need, and tells the member. Requires the order's
 * lock.
 */
export const recordUnapplied = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  money: Pick<UnappliedPayment, 'depositId' | 'amount' | 'currency' | 'reason'>,
) => {
  const { db, customer, clock } = ctx
  const needsAccount = payment.method === 'BANK'
  const data: UnappliedPayment = {
    kind: 'UNAPPLIED_PAYMENT',
    orderId: order.id,
    paymentId: payment.id,
    needsAccount,
    ...money,
  }
  const subject = `Refund an unapplied payment of order ${order.code}`
  await openUnappliedCase(db, customer.id, order.memberId, subject, data, clock.now())
  const { amount, reason: detail } = money
  await recordOrderEvent(ctx, order, { type: 'UNAPPLIED_PAYMENT', amount, detail })
  await notifyUnappliedPayment(ctx, order, data)
}
