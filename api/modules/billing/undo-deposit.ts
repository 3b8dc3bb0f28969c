import * as z from 'zod/mini'
import { depositReversedMail } from '#api/modules/billing/mails/payments.ts'
import { withdrawEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { queueMemberMail } from '#api/modules/identity/profile.ts'
import { findOrderByCode, itemsOf, lockOrderByCode, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, changePrice, nextOrderState, recordOrderEvent } from '#api/modules/orders/orders.ts'
import { type AuditActor, audit, changesOf, historyOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { OrderStatus } from '#contract/enumerations.ts'
import type { OrderCode } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { publishReversal } from './deposits.ts'
import { failOrder, type PaymentCtx, stateOf } from './payment-states.ts'
import {
  enteredReference,
  manualProvider,
  openPayments,
  type PaymentRow,
  paidPayment,
  updatePayment,
} from './payments.queries.ts'
import { closePayment } from './reconcile-payments.ts'
import { settle } from './settle-payment.ts'
import {
  caseOfReference,
  closeUnappliedCase,
  findUnappliedCase,
  lockOrders,
  reopenUnappliedCase,
  type UnappliedCase,
  unappliedCasesOf,
} from './unapplied-payments.queries.ts'

/**
 * An order with the payment that paid it, the unapplied payment that staff used for it, and what
 * was received beyond its price. All are locked. Failures: NOT_FOUND, CONFLICT where another
 * payment has paid it meanwhile.
 */
const lockDeposit = async ({ db, customer }: Ctx, code: OrderCode) => {
  const found = await findOrderByCode(db, customer.id, code)
  if (!found) return failure('NOT_FOUND')
  const seen = await paidPayment(db, customer.id, found.id)
  const matched = seen?.provider === manualProvider ? caseOfReference(enteredReference(seen.providerRef)) : null
  const sourceId = matched && (await findUnappliedCase(db, customer.id, matched))?.data.orderId
  const locked = await lockOrders(db, customer.id, [found.id, ...(sourceId ? [sourceId] : [])])
  const order = locked.get(found.id)
  const payment = await paidPayment(db, customer.id, found.id)
  if (!order || payment?.id !== seen?.id) return failure('CONFLICT')
  const source = sourceId ? locked.get(sourceId) : undefined
  const used = source
    ? (await unappliedCasesOf(db, customer.id, source.id)).find(({ id }) => id === matched)
    : undefined
  const surplus = (await unappliedCasesOf(db, customer.id, order.id)).filter(
    ({ data }) => data.paymentId === payment?.id,
  )
  return { order, payment, surplus, used: source && used && { source, ...used } }
}

/** Why a payment cannot be undone; null if it can. */
const refuseUndo = (
  { locale }: Ctx,
  order: OrderRow,
  payment: PaymentRow | null,
  surplus: readonly UnappliedCase[],
) => {
  const i18n = messagesOf(locale)
  const refuse = (why: string) => invalidField('code', why)
  if (order.status === 'CANCEL_REQUEST')
    return refuse(i18n._('A refund of this order is under way, so its payment can’t be undone.'))
  if (order.refundedAmount > 0)
    return refuse(i18n._('Money of this order was refunded, so its payment can’t be undone.'))
  if (order.status !== 'PAYMENT_COMPLETE' || payment?.provider !== manualProvider)
    return refuse(i18n._('Only a payment that staff marked or matched can be undone. Refund another one instead.'))
  if (order.recordedAs !== null)
    return refuse(i18n._('This sale was recorded as paid outside of the store. Refund it instead.'))
  return surplus.some(({ open }) => !open)
    ? refuse(i18n._('What was received beyond the price was returned or used already, so the payment can’t be undone.'))
    : null
}

const pricesBefore = z.object({ from: z.array(z.int()) })
const totalBefore = z.object({ from: z.int() })

/** What the order and its items cost before staff accepted a smaller amount, from its history. */
const formerPrice = async (ctx: Ctx, order: OrderRow) => {
  const history = await historyOf(ctx, `order:${order.code}`, 'deposit')
  const changes = history.find((entry) => entry.changes.status?.to === 'PAYMENT_COMPLETE')?.changes
  return {
    total: totalBefore.safeParse(changes?.total).data?.from ?? order.totalAmount,
    prices: pricesBefore.safeParse(changes?.priceAmount).data?.from ?? [],
  }
}

/** The former deadline while it leaves enough time to pay, or a new term. */
const deadlineAgain = ({ customer, clock }: Ctx, former: string | null): string => {
  const now = clock.now().getTime()
  return former !== null && Date.parse(former) >= now + dayMilliseconds
    ? former
    : new Date(now + customer.settings.order.depositHours * 3_600_000).toISOString()
}

interface Decision {
  code: OrderCode
  reason: string
  by: AuditActor
}

/**
 * Undoes that staff marked an order as paid, or used an unapplied payment for it, by mistake. The
 * order waits for its payment again, at the price it had; without an account of its member it
 * fails. Access ends, also where titles were watched. The transfer may be recorded again, and the
 * unapplied payment is unapplied again.
 *
 * Fails with NOT_FOUND, CONFLICT, and VALIDATION_FAILED with why the payment cannot be undone.
 */
export const undoDeposit = (
  ctx: PaymentCtx,
  { code, reason, by }: Decision,
): Promise<{ total: Money; dueAt: string | null } | Failure> =>
  ctx.inTransaction(async (tx) => {
    const { db, customer, clock } = tx
    const locked = await lockDeposit(tx, code)
    if (isFailure(locked)) return locked
    const { order: before, payment, surplus, used } = locked
    const refused = refuseUndo(tx, before, payment, surplus)
    if (refused) return refused
    const next = nextOrderState(stateOf(before), 'DEPOSIT_REVERSED')
    if (!payment || next === null) return failure('CONFLICT')

    const now = clock.now()
    // Its reference is free again for the order that the transfer was meant for.
    const undone = { status: 'FAILED', failure: 'UNDONE', providerRef: null, settledAt: now.toISOString() } as const
    await updatePayment(db, payment, undone)
    const reversed = (amount: number) => ({ type: 'DEPOSIT_REVERSED', amount, detail: 'UNDONE' }) as const
    for (const { id, data } of surplus) {
      await closeUnappliedCase(db, customer.id, id, 'REVERSED', now)
      await recordOrderEvent(tx, before, reversed(data.amount))
    }
    const { total, prices } = await formerPrice(tx, before)
    if (total !== before.totalAmount) await changePrice(tx, before, total, prices)
    const dueAt = deadlineAgain(tx, payment.dueAt)
    const waiting = { status: next, paidAt: null, depositDeadline: dueAt }
    await changeOrder(tx, before, waiting, reversed(payment.amount))
    const order = { ...before, ...waiting, totalAmount: total }
    const items = await itemsOf(db, customer.id, [order.id])
    await withdrawEntitlements(
      tx,
      items.map(({ id }) => id),
    )
    if (used && !used.data.reversed) {
      await reopenUnappliedCase(db, customer.id, used.id)
      const { amount, reason: detail } = used.data
      await recordOrderEvent(tx, used.source, { type: 'UNAPPLIED_PAYMENT', amount, detail })
    }
    const hasAccount = (await findMember(db, customer.id, order.memberId)) !== null
    const waits = hasAccount ? dueAt : null
    if (!hasAccount) await failOrder(tx, order, 'DEPOSIT_EXPIRED')
    const { currency } = order
    const received = surplus.reduce((sum, { data }) => sum + data.amount, payment.amount)
    await publishReversal(tx, order, { amount: received, dueAt: waits, ended: items, byStaff: true })
    await queueMemberMail(tx, order.memberId, {
      template: depositReversedMail,
      data: { code, amount: { amount: total, currency }, dueAt, byStore: true },
      once: `deposit-undone:${payment.id}`,
    })
    await audit(tx, {
      actor: by,
      action: 'deposit.undone',
      subject: `order:${code}`,
      changes: changesOf<Record<string, unknown>>(
        { status: before.status, total: before.totalAmount },
        { status: hasAccount ? next : 'PAYMENT_FAIL', total },
      ),
      detail: { amount: received, currency, reason, ...(used && { from: used.source.code }) },
    })
    return { total: { amount: total, currency }, dueAt: waits }
  })

/**
 * Cancels an order that waits for its deposit, on the decision of staff. Money that arrives in the
 * account until its provider has closed it is to be returned.
 *
 * Fails with NOT_FOUND, and with CANCEL_NOT_POSSIBLE if the order waits for no deposit, also where
 * the provider says that it has just arrived.
 */
export const cancelUnpaidOrder = async (
  ctx: PaymentCtx,
  { code, reason, by }: Decision,
): Promise<Failure | undefined> => {
  const openOf = async ({ db, customer }: Ctx) => {
    const found = await findOrderByCode(db, customer.id, code)
    return found ? openPayments(db, customer.id, [found.id]) : []
  }
  for (const { id } of await ctx.inTransaction(openOf)) await settle(ctx, id, 'RECONCILE')
  const open = await ctx.inTransaction(async (tx) => {
    const { db, customer, clock } = tx
    const order = await lockOrderByCode(db, customer.id, code)
    if (!order) return failure('NOT_FOUND')
    if (order.status !== 'DEPOSIT_WAITING') return failure('CANCEL_NOT_POSSIBLE')
    const accounts = await openOf(tx)
    const closed = { status: 'CANCELLED', failure: 'CANCELLED_BY_STORE', settledAt: clock.now().toISOString() } as const
    for (const account of accounts) await updatePayment(db, account, closed)
    await failOrder(tx, order, 'CANCELLED_BY_STORE')
    await audit(tx, {
      actor: by,
      action: 'order.cancelled',
      subject: `order:${code}`,
      changes: changesOf<{ status: OrderStatus }>({ status: order.status }, { status: 'CANCEL_COMPLETE' }),
      detail: { reason },
    })
    return accounts
  })
  if (isFailure(open)) return open
  for (const { id } of open) await closePayment(ctx, id, 'CANCELLED_BY_STORE')
  return undefined
}
