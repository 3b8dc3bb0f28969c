import type { Ctx } from '#api/context.ts'
import { appendOrderEvent, findOrderById, type OrderRow } from '#api/db/queries/orders.ts'
import { findPayment, type PaymentRow } from '#api/db/queries/payments.ts'
import { closeUndueCase, openUndueCase, type UndueMoney, undueCasesOf } from '#api/db/queries/undue-money.ts'
import type { Answer } from '#api/domain/payments/settle.ts'
import type { PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { tellUndueMoney } from './refund-mails.ts'

/**
 * Writes down what lies in a payment's account and pays nothing: a case for each deposit, once. What the bank has taken back itself
 * needs no giving back any more. True where money has come that must go back.
 */
export const noteUndueDeposits = async (ctx: Ctx, orderId: string, paymentId: string, answer: Answer) => {
  const { db, customer, clock } = ctx
  const known = await undueCasesOf(db, customer.id, orderId)
  const mine = known.filter(({ data }) => data.paymentId === paymentId && data.depositId !== null)
  const fresh = answer.undue.filter(({ id }) => !mine.some(({ data }) => data.depositId === id))
  const gone = mine.filter(
    ({ open, createdAt, data }) =>
      open && Date.parse(createdAt) < answer.askedAt.getTime() && !answer.undue.some(({ id }) => id === data.depositId),
  )
  if (fresh.length === 0 && gone.length === 0) return false
  // Read after the payment itself was judged: whether the order still waits for it decides what the money is called.
  const order = await findOrderById(db, customer.id, orderId)
  const payment = await findPayment(db, customer.id, paymentId as PaymentId)
  if (!order || !payment) return false
  for (const { data, id } of gone) {
    await closeUndueCase(db, customer.id, id, 'REVERSED', clock.now())
    await appendOrderEvent(db, order, { type: 'DEPOSIT_REVERSED', amount: data.amount, at: clock.now() })
  }
  for (const { id, amount } of fresh) {
    await note(ctx, order, payment, { depositId: id, amount, currency: payment.currency, reason: reasonOf(payment) })
  }
  return fresh.length > 0
}

/** Writes down, once, that a payment as a whole is undue. */
export const noteUnduePayment = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  { amount, currency }: Money,
  reason: 'LATE' | 'AMOUNT_MISMATCH',
) => {
  const known = await undueCasesOf(ctx.db, ctx.customer.id, order.id)
  if (known.some(({ data }) => data.paymentId === payment.id && (data.depositId ?? null) === null)) return
  await note(ctx, order, payment, { depositId: null, amount, currency, reason })
}

const reasonOf = ({ status }: PaymentRow): UndueMoney['reason'] => {
  if (status === 'PAID') return 'SURPLUS'
  return status === 'READY' || status === 'PROCESSING' ? 'AMOUNT_MISMATCH' : 'LATE'
}

const note = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  money: Pick<UndueMoney, 'depositId' | 'amount' | 'currency' | 'reason'>,
) => {
  const { db, customer, clock } = ctx
  const needsAccount = payment.method === 'BANK'
  const data: UndueMoney = {
    ...{ kind: 'UNDUE_PAYMENT', orderId: order.id, paymentId: payment.id, needsAccount },
    ...money,
  }
  const subject = `Give back a payment of order ${order.code}`
  await openUndueCase(db, customer.id, order.memberId, subject, data, clock.now())
  const { amount, reason: detail } = money
  await appendOrderEvent(db, order, { type: 'UNDUE_MONEY', amount, detail, at: clock.now() })
  await tellUndueMoney(ctx, order, data)
}
