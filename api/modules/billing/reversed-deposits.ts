import { depositReversedMail } from '#api/modules/billing/mails/deposits.ts'
import type { ProviderPayment } from '#api/modules/billing/providers/provider.ts'
import { suspendEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { queueMemberMail } from '#api/modules/identity/member-mail.ts'
import { findOrderById, itemsOf, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, nextOrderState, recordOrderEvent } from '#api/modules/orders/orders.ts'
import type { Ctx } from '#api/platform/context.ts'
import { type Settlement, stateOf } from './payment-states.ts'
import { type PaymentRow, updatePayment } from './payments.queries.ts'
import { finishRequest } from './refund-states.ts'
import { type CancelRequestRow, openOrderCase, openRequest } from './refunds.queries.ts'

/**
 * Handles a deposit that the bank has reversed. The order waits for the full amount again, its
 * rights are suspended, and a case is opened. A refund in progress is completed, because the money
 * has already left. If the store refunded a part of the deposit earlier, that part was paid out
 * twice, and a second case is opened.
 */
export const depositReversed = async (
  ctx: Ctx,
  orderBefore: OrderRow,
  payment: PaymentRow,
  answer: ProviderPayment,
): Promise<Settlement> => {
  const { db, customer, clock, log } = ctx
  const now = clock.now()
  const open = await openRequest(db, customer.id, orderBefore.id)
  const wasRefunded = open?.refundTotal ? answer.refunded >= open.refundTotal : false
  const order = open && wasRefunded ? await recordUnansweredRefund(ctx, orderBefore, payment, open) : orderBefore
  const request = wasRefunded ? null : open
  const event = { type: 'DEPOSIT_REVERSED', amount: payment.amount } as const
  log.error({ paymentId: payment.id, order: order.code }, 'A deposit has been reversed')

  const alreadyRefunded = order.refundedAmount
  if (request) {
    await updatePayment(db, payment, { status: 'FAILED', failure: 'DEPOSIT_REVERSED', settledAt: now.toISOString() })
    await recordOrderEvent(ctx, order, event)
    await finishRequest(ctx, order, request, 'ALL')
    if (alreadyRefunded > 0) await openReversalCase(ctx, order, payment)
    return 'REVERSED'
  }
  const waits = answer.status === 'READY' || answer.status === 'PROCESSING'
  const dueAt = (
    answer.dueAt ?? new Date(now.getTime() + customer.settings.order.depositHours * 3_600_000)
  ).toISOString()
  await updatePayment(db, payment, {
    status: waits ? 'READY' : 'FAILED',
    failure: waits ? null : 'DEPOSIT_REVERSED',
    settledAt: now.toISOString(),
    dueAt,
    account: payment.account && { ...payment.account, dueAt },
  })
  const next = nextOrderState(stateOf(order), 'DEPOSIT_REVERSED')
  if (next === null) {
    await recordOrderEvent(ctx, order, event)
    if (alreadyRefunded > 0) await openReversalCase(ctx, order, payment)
    return 'REVERSED'
  }
  await changeOrder(ctx, order, { status: next, paidAt: null, depositDeadline: dueAt }, event)
  const items = await itemsOf(db, customer.id, [order.id])
  await suspendEntitlements(
    ctx,
    items.map((item) => item.id),
  )
  await openReversalCase(ctx, order, payment)
  await notifyDepositReversed(ctx, { ...order, depositDeadline: dueAt })
  return 'REVERSED'
}

/**
 * Records a refund that the provider has made although its answer never arrived: the reversal must
 * not hide that this money left the store. Returns the order as it is afterwards.
 */
const recordUnansweredRefund = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  request: CancelRequestRow,
): Promise<OrderRow> => {
  const { db, customer } = ctx
  await finishRequest(ctx, order, request, 'REQUESTED')
  await updatePayment(db, payment, { refundedAmount: payment.refundedAmount + request.amount })
  return (await findOrderById(db, customer.id, order.id)) ?? order
}

/**
 * `refundedAmount`: the amount refunded to the member that the store no longer has, until the
 * deposit is paid again.
 */
const openReversalCase = (
  { db, customer, clock }: Ctx,
  order: OrderRow,
  { id: paymentId, amount, currency }: PaymentRow,
) => {
  const about = { memberId: order.memberId, orderId: order.id }
  const subject = `The deposit for order ${order.code} was reversed`
  const data = { kind: 'DEPOSIT_REVERSED', paymentId, amount, currency, refundedAmount: order.refundedAmount }
  return openOrderCase(db, customer.id, { ...about, subject, data }, clock.now())
}

const notifyDepositReversed = (ctx: Ctx, order: OrderRow) =>
  queueMemberMail(ctx, order.memberId, {
    template: depositReversedMail,
    data: {
      code: order.code,
      amount: { amount: order.totalAmount, currency: order.currency },
      dueAt: order.depositDeadline,
    },
    once: `deposit-reversed:${order.id}:${order.depositDeadline}`,
  })
