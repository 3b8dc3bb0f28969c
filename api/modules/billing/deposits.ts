import { depositIssuedMail, depositReminderMail, depositReversedMail } from '#api/modules/billing/mails/payments.ts'
import type { BankAccount, ProviderPayment } from '#api/modules/billing/providers/provider.ts'
import { suspendEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { queueMemberMail } from '#api/modules/identity/profile.ts'
import { removeBoughtFromCart } from '#api/modules/orders/cart.ts'
import { findOrderById, itemsOf, type OrderItemRow, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, nextOrderState, recordOrderEvent } from '#api/modules/orders/orders.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import { emit } from '#api/platform/events.ts'
import { storeStateOf } from '#contract/store-state.ts'
import { depositsDueBetween } from './due-orders.queries.ts'
import { type Settlement, stateOf } from './payment-states.ts'
import { openPayments, type PaymentRow, updatePayment } from './payments.queries.ts'
import { finishRequest } from './refund-states.ts'
import { type CancelRequestRow, openOrderCase, openRequest } from './refunds.queries.ts'

/**
 * Stores the account that a provider has issued: the order now waits for its deposit. Safe to
 * repeat. Requires the order's lock and an open payment. Fails with ORDER_NOT_PAYABLE.
 */
export const issueDeposit = async (
  ctx: Ctx,
  { order, payment }: { order: OrderRow; payment: PaymentRow },
  providerRef: string,
  issued: BankAccount,
): Promise<{ payment: PaymentRow } | Failure> => {
  if (payment.account) return { payment }
  const { db, customer } = ctx
  const waiting = order.status === 'DEPOSIT_WAITING' ? order.status : nextOrderState(stateOf(order), 'DEPOSIT_ISSUED')
  if (payment.status !== 'READY' || waiting === null) return failure('ORDER_NOT_PAYABLE')

  const { bank, number, holder } = issued
  const dueAt = issued.dueAt.toISOString()
  const account = { bank, number, holder, dueAt }
  const updated = await updatePayment(db, payment, { providerRef, account, dueAt })
  const change = { status: waiting, expiresAt: null, depositDeadline: dueAt }
  const detail = `${bank} ${number}`
  await changeOrder(ctx, order, change, { type: 'DEPOSIT_ISSUED', amount: payment.amount, detail })
  const items = await itemsOf(db, customer.id, [order.id])
  await removeBoughtFromCart(ctx, order, items)
  await notifyDepositIssued(ctx, { ...order, ...change }, updated, items)
  return { payment: updated }
}

const totalOf = (order: OrderRow) => ({ amount: order.totalAmount, currency: order.currency })

/** Mails the account to pay into, the exact amount and the deadline. */
const notifyDepositIssued = async (ctx: Ctx, order: OrderRow, payment: PaymentRow, items: readonly OrderItemRow[]) => {
  if (!payment.account) return
  await queueMemberMail(ctx, order.memberId, {
    template: depositIssuedMail,
    data: {
      code: order.code,
      titles: items.map((item) => item.productTitle),
      amount: totalOf(order),
      account: payment.account,
    },
    once: `deposit:${payment.id}`,
  })
}

/** Mails a reminder a day before the deadline. */
const remindOfDeposit = async (
  ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>,
  order: OrderRow,
  payment: PaymentRow | null,
) => {
  if (!order.depositDeadline) return
  await queueMemberMail(ctx, order.memberId, {
    template: depositReminderMail,
    data: {
      code: order.code,
      amount: totalOf(order),
      account: payment?.account ?? null,
      dueAt: order.depositDeadline,
    },
    once: `deposit-reminder:${order.id}:${Math.floor(Date.parse(order.depositDeadline) / 1000)}`,
  })
}

const hoursBefore = 24
/**
 * Hours. A deadline this close to the issue of the account needs no reminder, because the first
 * mail stated it.
 */
const minHoursOld = 12

/**
 * Sends a reminder for deposits due within a day, once per deadline. Returns the number of deposits
 * examined.
 */
export const remindDeposits = async (
  ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>,
  batchSize: number,
): Promise<number> => {
  // Nobody is asked to pay a store that is offline.
  if (storeStateOf(ctx.customer) !== 'OPEN') return 0
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + hoursBefore * 3_600_000)
  const due = await depositsDueBetween(ctx.db, ctx.customer.id, { from: now, until, minHoursOld, limit: batchSize })
  for (const order of due) {
    const payments = await openPayments(ctx.db, ctx.customer.id, [order.id])
    await remindOfDeposit(ctx, order, payments.find(({ method }) => method === 'BANK') ?? null)
  }
  return due.length
}

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
  const items = await itemsOf(db, customer.id, [order.id])
  const notRefunded = items.filter(({ refundedAt }) => refundedAt === null)
  const publish = (dueAt: string | null, ended: readonly OrderItemRow[]) =>
    publishReversal(ctx, order, { amount: payment.amount, dueAt, ended, byStaff: false })
  if (request) {
    await updatePayment(db, payment, { status: 'FAILED', failure: 'DEPOSIT_REVERSED', settledAt: now.toISOString() })
    await recordOrderEvent(ctx, order, event)
    await publish(null, notRefunded)
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
    await publish(null, [])
    if (alreadyRefunded > 0) await openReversalCase(ctx, order, payment)
    return 'REVERSED'
  }
  await changeOrder(ctx, order, { status: next, paidAt: null, depositDeadline: dueAt }, event)
  await suspendEntitlements(
    ctx,
    items.map((item) => item.id),
  )
  await publish(dueAt, notRefunded)
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
      amount: totalOf(order),
      dueAt: order.depositDeadline,
    },
    once: `deposit-reversed:${order.id}:${order.depositDeadline}`,
  })

/** The order of a deposit, what was received for it, and what it costs now. */
const depositOf = ({ code: orderCode, memberId, totalAmount, currency }: OrderRow, amount: number) => ({
  orderCode,
  memberId,
  amount: { amount, currency },
  total: { amount: totalAmount, currency },
})

/** Publishes that a bank transfer has paid an order, whose price is what it costs now. */
export const publishDeposit = (ctx: Ctx, order: OrderRow, { amount, byStaff }: { amount: number; byStaff: boolean }) =>
  emit(ctx, 'depositReceived', { ...depositOf(order, amount), byStaff })

interface Reversal {
  amount: number
  dueAt: string | null
  /** The items whose access has ended. */
  ended: readonly OrderItemRow[]
  byStaff: boolean
}

/** Publishes that the money of a paid order is not there. */
export const publishReversal = (ctx: Ctx, order: OrderRow, { amount, dueAt, ended, byStaff }: Reversal) =>
  emit(ctx, 'depositReversed', {
    ...depositOf(order, amount),
    dueAt,
    productIds: ended.map(({ productId }) => productId),
    byStaff,
  })
