import type { RefundAccount } from '#api/modules/billing/providers/provider.ts'
import { readyProducts } from '#api/modules/catalog/products.queries.ts'
import { restoreEntitlements, suspendEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { refuseLines } from '#api/modules/identity/profile.ts'
import { findOrder, itemsOf, lockOrder, type OrderItemRow, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, leftOfItem, nextOrderState, recordOrderEvent } from '#api/modules/orders/orders.ts'
import { audit } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure, type MemberCtx } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { OrderCode, OrderId, OrderItemId, PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { getOrder } from './orders.ts'
import { failOrder, type MemberPaymentCtx, type PaymentCtx, stateOf } from './payment-states.ts'
import { openPayments, paidPayment } from './payments.queries.ts'
import { closePayment } from './reconcile-payments.ts'
import { refundPayment } from './refund-payments.ts'
import { encryptAccount, restoreOrder } from './refund-states.ts'
import { cancelTerms, refundOf } from './refund-terms.ts'
import { insertCancelRequest, openOrderCase, openRequest, updateRequest } from './refunds.queries.ts'
import { unappliedCasesOf, updateUnappliedCase } from './unapplied-payments.queries.ts'

interface CheckedCancel {
  items: OrderItemRow[]
  amount: number
  automatic: boolean
}

/**
 * Creates a request to refund an order or some of its items. Requires the order's lock. The amount
 * is frozen and the rights are suspended; then the rule accepts it at once, or a case is opened.
 */
const writeRequest = async (
  ctx: Ctx,
  orderId: OrderId,
  input: CancelInput,
  encryptionSecret: string,
): Promise<{ paymentId: PaymentId; accepted: boolean } | Failure> => {
  const { db, customer, clock } = ctx
  const order = await lockOrder(db, customer.id, orderId)
  const payment = order && (await paidPayment(db, customer.id, order.id))
  if (!order || !payment) return failure('CANCEL_NOT_POSSIBLE')
  const status = nextOrderState(stateOf(order), 'CANCEL_REQUESTED')
  if (status === null) return failure('CANCEL_NOT_POSSIBLE', { data: { why: 'UNDER_WAY' } })
  const i18n = messagesOf(ctx.locale)
  if (order.method === 'BANK' && !input.refundAccount)
    return invalidField('refundAccount', i18n._('Enter the bank account for the refund.'))
  const refused = refuseAccount(ctx.locale, input.refundAccount)
  if (refused) return refused
  const checked = await checkCancel(ctx, order, input)
  if (isFailure(checked)) return checked
  const { items, amount, automatic } = checked

  const now = clock.now()
  const at = now.toISOString()
  const about = { memberId: order.memberId, orderId: order.id, subject: `Cancel request for order ${order.code}` }
  const data = { kind: 'CANCEL_REQUEST', amount, currency: order.currency, reason: input.reason }
  await insertCancelRequest(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    memberId: order.memberId,
    automatic,
    caseId: automatic ? null : await openOrderCase(db, customer.id, { ...about, data }, now),
    step: automatic ? 'ACCEPT' : 'PENDING',
    itemIds: items.map((item) => item.id),
    amount,
    currency: order.currency,
    reason: input.reason,
    createdAt: at,
    ...(automatic ? { decidedAt: at, nextAttemptAt: at } : {}),
    refundAccount:
      order.method === 'BANK' && input.refundAccount ? encryptAccount(encryptionSecret, input.refundAccount) : null,
  })
  const change = { status, refundStep: automatic ? 'ACCEPT' : 'PENDING', refundReason: input.reason } as const
  await changeOrder(ctx, order, change, { type: 'CANCEL_REQUESTED', amount, detail: input.reason })
  await emit(ctx, 'refundRequested', { ...refundOf(order, amount, items), needsDecision: !automatic })
  if (automatic) {
    await recordOrderEvent(ctx, order, { type: 'CANCEL_ACCEPTED', amount, detail: 'RULE' })
    const detail = { amount, currency: order.currency, items: items.length }
    await audit(ctx, { actor: 'rule', action: 'cancel.accepted', subject: `order:${order.code}`, detail })
  }
  return { paymentId: payment.id, accepted: automatic }
}

/**
 * Decides which requested items are refundable. The rights are suspended first, so that nobody
 * starts to watch an item during the decision.
 */
const checkCancel = async (ctx: Ctx, order: OrderRow, input: CancelInput): Promise<CheckedCancel | Failure> => {
  const { db, customer, clock } = ctx
  const all = await itemsOf(db, customer.id, [order.id])
  const suspended = input.itemIds ?? all.map((item) => item.id)
  const suspendedItems = all.filter((item) => suspended.includes(item.id) && item.refundedAt === null)
  await suspendEntitlements(
    ctx,
    suspendedItems.map((item) => item.id),
  )

  const items = await itemsOf(db, customer.id, [order.id])
  const { refundDays } = customer.settings.order
  const ready = await readyProducts(
    db,
    customer.id,
    items.map(({ productId }) => productId),
  )
  const terms = cancelTerms({ order, items, ready, request: null, refundDays, now: clock.now() })
  const chosen = new Set(input.itemIds ?? terms.itemIds)
  const possible = new Set([...terms.itemIds, ...terms.reviewItemIds])
  const refuse = async (refusal: Failure) => {
    await restoreEntitlements(
      ctx,
      suspendedItems.map((item) => item.id),
    )
    return refusal
  }
  if (terms.action !== 'REFUND' || [...chosen].some((id) => !possible.has(id))) {
    return refuse(failure('CANCEL_NOT_POSSIBLE', { data: { why: terms.why } }))
  }
  const back = items.filter((item) => chosen.has(item.id))
  const amount = back.reduce((sum, item) => sum + leftOfItem(item), 0)
  const expected = input.expectedAmount
  if (expected && (expected.amount !== amount || expected.currency !== order.currency)) {
    return refuse(failure('PRICE_CHANGED', { data: { total: { amount, currency: order.currency } } }))
  }
  const remaining = suspendedItems.filter((item) => !chosen.has(item.id))
  await restoreEntitlements(
    ctx,
    remaining.map((item) => item.id),
  )
  const unopened = back.every((item) => item.openedAt === null)
  const automatic = unopened && (order.method === 'CARD' || back.every(({ productId }) => !ready.has(productId)))
  return { items: back, amount, automatic }
}

export interface CancelInput {
  code: OrderCode
  reason: string
  itemIds?: OrderItemId[] | undefined
  refundAccount?: RefundAccount | undefined
  expectedAmount?: Money | undefined
}

/**
 * Cancels an order that waits for its deposit, or requests a refund. A refund that the rule accepts
 * is paid before this returns, if the provider can. Any other request opens a case.
 *
 * Fails with NOT_FOUND, CANCEL_NOT_POSSIBLE (`data` says why), VALIDATION_FAILED (no account for a
 * bank refund), PRICE_CHANGED (`data` holds the amount) and, for a deposit, PROVIDER_UNAVAILABLE.
 */
export const requestCancel = async (ctx: MemberPaymentCtx, input: CancelInput): Promise<Order | Failure> => {
  const order = await ctx.inTransaction((tx) => findOrder(tx.db, tx.customer.id, ctx.actor.memberId, input.code))
  if (!order) return failure('NOT_FOUND')
  if (order.status === 'DEPOSIT_WAITING') {
    const refusal = await cancelDeposit(ctx, order)
    if (refusal) return refusal
  } else {
    const written = await ctx.inTransaction((tx) => writeRequest(tx, order.id, input, ctx.encryptionSecret))
    if (isFailure(written)) return written
    if (written.accepted) await refundPayment(ctx, written.paymentId)
  }
  return ctx.inTransaction((tx) => getOrder({ ...tx, actor: ctx.actor }, input.code))
}

/**
 * The provider is queried first. If a deposit has just arrived, the order is paid instead of
 * cancelled.
 */
const cancelDeposit = async (ctx: MemberPaymentCtx, { id, code }: OrderRow): Promise<Failure | null> => {
  const open = await ctx.inTransaction((tx) => openPayments(tx.db, tx.customer.id, [id]))
  for (const payment of open) {
    const closed = await closePayment(ctx, payment.id, 'CANCELLED_BY_MEMBER')
    if (closed === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  }
  return ctx.inTransaction(async (tx) => {
    const order = await lockOrder(tx.db, tx.customer.id, id)
    const begun = await openPayments(tx.db, tx.customer.id, [id])
    if (order?.status === 'DEPOSIT_WAITING' && begun.length === 0) {
      await failOrder(tx, order, 'CANCELLED_BY_MEMBER')
      return null
    }
    return order?.status === 'CANCEL_COMPLETE' ? null : failure('CANCEL_NOT_POSSIBLE', { data: { code } })
  })
}

/**
 * Withdraws a request that has not been accepted. Fails with NOT_FOUND, and with
 * CANCEL_NOT_POSSIBLE if no request waits for a decision.
 */
export const withdrawCancelRequest = async (ctx: MemberCtx, code: OrderCode): Promise<Order | Failure> => {
  const { db, customer, actor } = ctx
  const ownOrder = await findOrder(db, customer.id, actor.memberId, code)
  const order = ownOrder && (await lockOrder(db, customer.id, ownOrder.id))
  if (!order) return failure('NOT_FOUND')
  const request = await openRequest(db, customer.id, order.id)
  if (request?.step !== 'PENDING') return failure('CANCEL_NOT_POSSIBLE')
  await restoreOrder(ctx, order, request, { outcome: 'WITHDRAWN' })
  return getOrder(ctx, code)
}

const refuseAccount = (language: Locale, account: RefundAccount | undefined) =>
  refuseLines(language, { 'refundAccount.bank': account?.bank, 'refundAccount.holder': account?.holder })

/**
 * Sets the account for a pending bank refund and pays it at once if the bank accepts. Fails with
 * NOT_FOUND, and with CANCEL_NOT_POSSIBLE if no refund waits for an account.
 */
export const setRefundAccount = async (
  ctx: MemberPaymentCtx,
  code: OrderCode,
  account: RefundAccount,
): Promise<Order | Failure> => {
  const ownOrder = await ctx.inTransaction((tx) => findOrder(tx.db, tx.customer.id, ctx.actor.memberId, code))
  if (!ownOrder) return failure('NOT_FOUND')
  const refused = refuseAccount(ctx.locale, account)
  if (refused) return refused
  if (!(await sendToAccount(ctx, ownOrder, account))) return failure('CANCEL_NOT_POSSIBLE')
  return ctx.inTransaction((tx) => getOrder({ ...tx, actor: ctx.actor }, code))
}

/**
 * Stores an account for all pending refunds of an order and pays them. Returns false if none is
 * pending.
 */
const sendToAccount = async (ctx: PaymentCtx, { id }: OrderRow, account: RefundAccount): Promise<boolean> => {
  const payments = await ctx.inTransaction((tx) =>
    saveRefundAccount(tx, id, encryptAccount(ctx.encryptionSecret, account)),
  )
  for (const paymentId of payments) await refundPayment(ctx, paymentId)
  return payments.length > 0
}

const saveRefundAccount = async (ctx: Ctx, orderId: OrderId, encrypted: string): Promise<PaymentId[]> => {
  const { db, customer, clock } = ctx
  const now = clock.now().toISOString()
  const order = await lockOrder(db, customer.id, orderId)
  if (!order) return []
  const payments = new Set<PaymentId>()
  for (const { id, open, data } of await unappliedCasesOf(db, customer.id, orderId)) {
    if (!open || !data.needsAccount) continue
    await updateUnappliedCase(db, customer.id, id, { needsAccount: false, account: encrypted, nextAttemptAt: now })
    payments.add(data.paymentId)
  }
  const request = await openRequest(db, customer.id, orderId)
  const paid = request && order.method === 'BANK' && request.refundAccount === null
  if (paid) {
    await updateRequest(db, request, { refundAccount: encrypted, nextAttemptAt: now })
    const payment = await paidPayment(db, customer.id, orderId)
    if (payment) payments.add(payment.id)
  }
  return [...payments]
}
