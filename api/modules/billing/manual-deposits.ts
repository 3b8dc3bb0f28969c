import {
  findOrderByCode,
  itemsOf,
  lockOrder,
  lockOrderByCode,
  type OrderRow,
} from '#api/modules/orders/orders.queries.ts'
import { changePrice, nextOrderState, recordOrderEvent } from '#api/modules/orders/orders.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { dayAt } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { CaseId, OrderCode, OrderId, PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { publishDeposit } from './deposits.ts'
import { type PaymentCtx, stateOf } from './payment-states.ts'
import {
  findPayment,
  insertManualPayment,
  manualProvider,
  openPayments,
  orderOfManualPayment,
  updatePayment,
} from './payments.queries.ts'
import { closePayment } from './reconcile-payments.ts'
import { recordUnapplied } from './refund-states.ts'
import { notifyUnappliedRefunded } from './refund-terms.ts'
import { completeOrder } from './settle-payment.ts'
import {
  closeUnappliedCase,
  erasedReference,
  findUnappliedCase,
  lockOrders,
  matchedReference,
  unappliedCasesOf,
} from './unapplied-payments.queries.ts'

/** A transfer as the bank statement of the store shows it. */
export interface Transfer {
  reference: string
  /** The day of the transfer in the store's time zone. */
  day: string
}

export interface ReceivedDeposit extends Transfer {
  code: OrderCode
  /** Minor units of the order's currency. */
  amount: number
  /** Required where the amount is not the order's. */
  reason?: string | undefined
  by: AuditActor
}

export interface AppliedDeposit {
  /** What the order costs now: less than before where a smaller amount was accepted. */
  total: Money
  /** What was received beyond that. It is to be returned to the member. */
  surplus: Money
}

type Applied = AppliedDeposit & { open: PaymentId[] }

/** Refuses a day in the future or more than a year back. Failure: VALIDATION_FAILED. */
export const refuseDay = (
  { customer, clock, locale }: Pick<Ctx, 'customer' | 'clock' | 'locale'>,
  { day }: Transfer,
) => {
  const i18n = messagesOf(locale)
  const today = dayAt(clock.now(), customer.settings.base.timeZone)
  if (day > today) return invalidField('day', i18n._('Enter a day that is not in the future.'))
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`
  return day < yearAgo ? invalidField('day', i18n._('Enter a day that is at most a year ago.')) : null
}

/** Refuses a payment that was recorded before, and names its order. Failure: VALIDATION_FAILED. */
export const refuseRecorded = async ({ db, customer, locale }: Ctx, providerRef: string): Promise<Failure | null> => {
  const references = [providerRef, erasedReference(customer.id, providerRef)]
  const code = await orderOfManualPayment(db, customer.id, references)
  if (!code) return null
  const i18n = messagesOf(locale)
  return invalidField(
    'reference',
    i18n._('Recorded before, for order {code}. If this is another payment, add its time to the reference.', { code }),
  )
}

/**
 * Marks an order as paid by a transfer that staff found on the bank statement. The account that the
 * provider issued for the order is closed. A smaller amount becomes the order's price; what exceeds
 * the price is to be returned. Both need a reason.
 *
 * Fails with NOT_FOUND, ORDER_NOT_PAYABLE if the order does not wait for a deposit, and
 * VALIDATION_FAILED for a reference that was recorded before, a day in the future, or another
 * amount without a reason.
 */
export const markDepositPaid = async (ctx: PaymentCtx, deposit: ReceivedDeposit): Promise<AppliedDeposit | Failure> => {
  const applied = await ctx.inTransaction(async (tx) => {
    const order = await lockOrderByCode(tx.db, tx.customer.id, deposit.code)
    return order ? applyDeposit(tx, order, deposit, null) : failure('NOT_FOUND')
  })
  return isFailure(applied) ? applied : closeAccounts(ctx, applied)
}

/** Calls the provider outside of the lock. A deposit that arrives until then is to be returned. */
const closeAccounts = async (ctx: PaymentCtx, { open, ...answer }: Applied): Promise<AppliedDeposit> => {
  for (const id of open) await closePayment(ctx, id, 'SUPERSEDED')
  return answer
}

/** Lowers the price of an order. Returns the prices of its items before and after. */
const lowerPrice = async (ctx: Ctx, order: OrderRow, total: number) => {
  const readPrices = async () =>
    (await itemsOf(ctx.db, ctx.customer.id, [order.id])).map(({ priceAmount }) => priceAmount)
  const from = await readPrices()
  await changePrice(ctx, order, total)
  return { from, to: await readPrices() }
}

const applyDeposit = async (
  ctx: Ctx,
  order: OrderRow,
  { amount, reference, day, reason = '', by }: ReceivedDeposit,
  unappliedOf: OrderCode | null,
): Promise<Applied | Failure> => {
  const { db, customer, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  // The day of an unapplied payment was not entered. It may be long ago.
  const refused = unappliedOf ? null : refuseDay(ctx, { reference, day })
  if (refused) return refused
  if (order.status !== 'DEPOSIT_WAITING' || nextOrderState(stateOf(order), 'PAID') === null)
    return failure('ORDER_NOT_PAYABLE')
  if (amount !== order.totalAmount && reason === '')
    return invalidField('reason', i18n._('Enter why another amount than the order’s is accepted.'))
  if (amount < order.totalAmount && order.refundedAmount > 0)
    return invalidField(
      'amount',
      i18n._('Parts of this order were refunded, so that it cannot cost less. Enter its full amount.'),
    )
  const total = Math.min(amount, order.totalAmount)
  const now = clock.now().toISOString()
  const { currency } = order
  // A transfer counts once. Banks repeat references on other days.
  const providerRef = `${day} ${reference}`
  const recorded = await refuseRecorded(ctx, providerRef)
  if (recorded) return recorded
  const payment = await insertManualPayment(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    providerRef,
    amount: total,
    currency,
    // Where the payment is undone, the order waits until then again.
    dueAt: order.depositDeadline,
    createdAt: now,
    settledAt: now,
  })
  if (!payment) return (await refuseRecorded(ctx, providerRef)) ?? failure('CONFLICT')
  const open = await openPayments(db, customer.id, [order.id])
  for (const openPayment of open)
    await updatePayment(db, openPayment, { status: 'CANCELLED', failure: 'SUPERSEDED', settledAt: now })
  const prices = total < order.totalAmount ? await lowerPrice(ctx, order, total) : undefined
  const paid = { ...order, totalAmount: total }
  await completeOrder(ctx, paid, unappliedOf ?? reference)
  await publishDeposit(ctx, paid, { amount, byStaff: true })
  const surplus = amount - total
  if (surplus > 0)
    await recordUnapplied(ctx, order, payment, { depositId: null, amount: surplus, currency, reason: 'SURPLUS' })
  await audit(ctx, {
    actor: by,
    action: unappliedOf ? 'deposit.matched' : 'deposit.received',
    subject: `order:${order.code}`,
    changes: changesOf<Record<string, unknown>>(
      { status: order.status, total: order.totalAmount, priceAmount: prices?.from },
      { status: 'PAYMENT_COMPLETE', total, priceAmount: prices?.to },
    ),
    detail: {
      amount,
      currency,
      day,
      ...(reason && { reason }),
      ...(unappliedOf && { from: unappliedOf }),
    },
  })
  return {
    total: { amount: total, currency },
    surplus: { amount: surplus, currency },
    open: open.map(({ id }) => id),
  }
}

/** An unapplied payment with its order, both locked. */
const lockUnapplied = async ({ db, customer }: Ctx, id: CaseId, other: OrderId | null) => {
  const unappliedCase = await findUnappliedCase(db, customer.id, id)
  if (!unappliedCase) return null
  const locked = await lockOrders(db, customer.id, [unappliedCase.data.orderId, ...(other ? [other] : [])])
  const order = locked.get(unappliedCase.data.orderId)
  const unapplied = (await unappliedCasesOf(db, customer.id, unappliedCase.data.orderId)).find(
    (other) => other.id === id,
  )
  if (!order || !unapplied) return null
  const payment = await findPayment(db, customer.id, unapplied.data.paymentId)
  // Its provider may be paying it out at this moment.
  const isAtProvider = payment?.provider !== manualProvider && !unapplied.data.needsAccount
  return { order, unapplied, isOpen: unapplied.open && !isAtProvider }
}

export interface MatchedDeposit {
  id: CaseId
  code: OrderCode
  reason?: string | undefined
  by: AuditActor
}

/**
 * Uses an unapplied payment for an order that waits for a deposit, as `markDepositPaid` does. Fails
 * with NOT_FOUND, CONFLICT if the payment was returned or is being returned by its provider, and as
 * `markDepositPaid` does.
 */
export const matchUnapplied = async (
  ctx: PaymentCtx,
  { id, code, reason, by }: MatchedDeposit,
): Promise<AppliedDeposit | Failure> => {
  const applied = await ctx.inTransaction(async (tx) => {
    const { db, customer, clock } = tx
    const i18n = messagesOf(tx.locale)
    const target = await findOrderByCode(db, customer.id, code)
    const locked = target && (await lockUnapplied(tx, id, target.id))
    const order = locked && (await lockOrder(db, customer.id, target.id))
    if (!order) return failure('NOT_FOUND')
    const { order: source, unapplied, isOpen } = locked
    const { amount, currency } = unapplied.data
    if (!isOpen) return failure('CONFLICT')
    if (currency !== order.currency)
      return invalidField('code', i18n._('Choose an order in the currency of the payment.'))
    const day = dayAt(new Date(unapplied.createdAt), customer.settings.base.timeZone)
    const deposit = { code, amount, reference: matchedReference(id), day, reason, by }
    const made = await applyDeposit(tx, order, deposit, source.code)
    if (isFailure(made)) return made
    await closeUnappliedCase(db, customer.id, id, 'APPLIED', clock.now())
    await recordOrderEvent(tx, source, { type: 'UNAPPLIED_PAYMENT_APPLIED', amount, detail: code })
    if (source.id !== order.id)
      await audit(tx, {
        actor: by,
        action: 'deposit.matched',
        subject: `order:${source.code}`,
        detail: { amount, currency, to: code },
      })
    return made
  })
  return isFailure(applied) ? applied : closeAccounts(ctx, applied)
}

/**
 * Records that staff returned an unapplied payment by a transfer of their own. Fails with
 * NOT_FOUND, CONFLICT if it was returned or its provider is returning it, and VALIDATION_FAILED for
 * a day in the future.
 */
export const returnUnapplied = async (
  ctx: Ctx,
  { id, reference, day, by }: Transfer & { id: CaseId; by: AuditActor },
): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  const locked = await lockUnapplied(ctx, id, null)
  if (!locked) return failure('NOT_FOUND')
  const { order, unapplied, isOpen } = locked
  if (!isOpen) return failure('CONFLICT')
  const refused = refuseDay(ctx, { reference, day })
  if (refused) return refused
  const { amount, currency } = unapplied.data
  await closeUnappliedCase(db, customer.id, id, 'RETURNED', clock.now())
  await recordOrderEvent(ctx, order, { type: 'UNAPPLIED_PAYMENT_REFUNDED', amount, detail: reference })
  await notifyUnappliedRefunded(ctx, order, id, unapplied.data)
  await audit(ctx, {
    actor: by,
    action: 'deposit.returned',
    subject: `order:${order.code}`,
    changes: { returned: { from: false, to: true } },
    detail: { amount, currency, day },
  })
  return undefined
}
