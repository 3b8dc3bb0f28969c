import { type CreatedPayment, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { readyProducts } from '#api/modules/catalog/products.queries.ts'
import { rightsOf } from '#api/modules/entitlements/entitlements.ts'
import { owns } from '#api/modules/orders/cart.ts'
import {
  competingDrafts,
  findCompetingOrder,
  findOrder,
  itemsOf,
  lockOrder,
  type OrderItemRow,
  type OrderRow,
} from '#api/modules/orders/orders.queries.ts'
import { changeOrder } from '#api/modules/orders/orders.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure, type Member } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, OrderId, PaymentId, ProductId } from '#contract/ids.ts'
import type { Order, Payment } from '#contract/orders.ts'
import { issueDeposit } from './deposits.ts'
import { getOrder, viewPayment } from './orders.ts'
import {
  buyerOf,
  checkBuyer,
  type MemberPaymentCtx,
  merchantOf,
  offeredMethods,
  orderTitle,
  type PaymentCtx,
  returnPath,
} from './payment-states.ts'
import {
  findPaymentOf,
  insertPayment,
  lockBuyer,
  lockPayment,
  noProvider,
  openPayments,
  type PaymentRow,
  updatePayment,
} from './payments.queries.ts'
import { closePayment } from './reconcile-payments.ts'
import { completeOrder, settle } from './settle-payment.ts'

type PaymentStarted = { payment: PaymentRow; items: OrderItemRow[] }

/** Payments that must be closed before a new one starts, and the consequence for their orders. */
export interface BlockingPayments {
  blocking: PaymentRow[]
  reason: 'SUPERSEDED' | 'METHOD_CHANGED'
}

/**
 * Returns the open payments of a member's other drafts of the same products, and the code of
 * another order that waits for their deposit. Requires the buyer's lock. Callers check afterwards
 * whether the member owns the products: a payment that is no longer open may have been paid.
 */
export const findCompetingPayments = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  order: Pick<OrderRow, 'customerId' | 'id' | 'memberId'>,
  products: readonly ProductId[],
): Promise<BlockingPayments | { waiting: string | null }> => {
  const drafts = await competingDrafts(db, order, products)
  const ids = drafts.map(({ id }) => id)
  const blocking = await openPayments(db, customer.id, ids)
  if (blocking.length > 0) return { blocking, reason: 'SUPERSEDED' }
  return { waiting: await findCompetingOrder(db, order, products) }
}

/**
 * Returns the open payment, a new one, or the payments to close first. Requires the locks of the
 * buyer and the order.
 */
const beginPayment = async (
  ctx: Ctx,
  { memberId }: Member,
  orderId: OrderId,
  method: PaymentMethod,
  provider: string,
): Promise<PaymentStarted | BlockingPayments | Failure> => {
  const { db, customer } = ctx
  await lockBuyer(db, memberId)
  const order = await lockOrder(db, customer.id, orderId)
  if (!order || !mayBePaid(order, ctx.clock.now())) return failure('ORDER_NOT_PAYABLE')
  const items = await itemsOf(db, customer.id, [order.id])
  const products = items.map((item) => item.productId)
  const competing = await findCompetingPayments(ctx, order, products)
  if ('blocking' in competing) return competing
  if (competing.waiting) return failure('DEPOSIT_OPEN', { data: { code: competing.waiting } })
  if (await ownsOneOf(ctx, items)) return failure('ALREADY_OWNED')
  if (order.status === null && (await readyProducts(db, customer.id, products)).size < new Set(products).size)
    return failure('NOT_READY')
  if (order.status === null && !customer.settings.order.useFree && items.some(({ priceAmount }) => priceAmount === 0))
    return failure('ORDER_NOT_PAYABLE')

  const [open] = await openPayments(db, customer.id, [order.id])
  if (open && open.method !== method) return { blocking: [open], reason: 'METHOD_CHANGED' }
  return { payment: open ?? (await createPayment(ctx, order, method, provider)), items }
}

/** True for a draft that has not expired and for an order whose deposit deadline has not passed. */
const mayBePaid = ({ status, expiresAt, depositDeadline }: OrderRow, now: Date) => {
  if (status !== null && status !== 'DEPOSIT_WAITING') return false
  const end = status === null ? expiresAt : depositDeadline
  return end === null || Date.parse(end) > now.getTime()
}

/**
 * Creates a payment of an order, and completes the order at once if it costs nothing. Requires the
 * order's lock.
 */
export const createPayment = async (
  ctx: Ctx,
  order: OrderRow,
  method: PaymentMethod,
  provider: string,
): Promise<PaymentRow> => {
  const { db, customer, clock } = ctx
  const now = clock.now()
  const free = order.totalAmount === 0
  const deposit = new Date(now.getTime() + customer.settings.order.depositHours * 3_600_000).toISOString()
  const payment = await insertPayment(db, {
    customerId: customer.id,
    id: newId(),
    orderId: order.id,
    provider: free ? noProvider : provider,
    method,
    status: free ? 'PAID' : 'READY',
    amount: order.totalAmount,
    currency: order.currency,
    // A new account does not extend the deadline of the first one.
    dueAt: method === 'BANK' && !free ? (order.depositDeadline ?? deposit) : null,
    createdAt: now.toISOString(),
    settledAt: free ? now.toISOString() : null,
  })
  await changeOrder(ctx, order, { method }, { type: 'PAYMENT_STARTED', amount: order.totalAmount })
  if (free) await completeOrder(ctx, { ...order, method }, null)
  return payment
}

/**
 * Whether the member has obtained one of the items since the order was placed. A rental does not
 * block a purchase.
 */
const ownsOneOf = async (ctx: Ctx, items: readonly OrderItemRow[]) => {
  const subjects = items.map((item) => ({ id: item.productId, access: 'PURCHASE' as const }))
  const rights = await rightsOf(ctx, subjects)
  return items.some((item) => {
    const right = rights.get(item.productId)
    return right !== undefined && owns(right, item.optionType)
  })
}

export interface PaymentStart {
  code: OrderCode
  method: PaymentMethod
  returnUrl: string
  /** The buyer's language, for the provider's page. */
  locale: string
}

/**
 * Two windows that start at the same time close each other's payments. The limit ends that loop.
 */
const attempts = 20

/**
 * Starts the payment of an order and returns the URL for the browser. If a payment with the same
 * method is open, its page is returned. Another method closes that payment first; a card may
 * replace a bank deposit. Other open payments of the member for the same products are closed, so
 * that two windows cannot pay for one product twice; if the provider is unavailable for one of
 * them, no payment starts. A bank account is issued immediately and has no page. An order with a
 * total of zero is completed.
 *
 * Fails with NOT_FOUND, VALIDATION_FAILED (a method that is not offered), BUYER_DETAILS_MISSING,
 * ORDER_NOT_PAYABLE, DEPOSIT_OPEN, ALREADY_OWNED, NOT_READY and PROVIDER_UNAVAILABLE.
 */
export const startPayment = async (
  ctx: MemberPaymentCtx,
  input: PaymentStart,
): Promise<{ payment: Payment; redirectUrl: string } | Failure> => {
  const i18n = messagesOf(ctx.locale)
  if (!offeredMethods(ctx).includes(input.method))
    return invalidField('method', i18n._('Choose one of the available payment methods.'))
  const order = await ctx.inTransaction((tx) => findOrder(tx.db, tx.customer.id, ctx.actor.memberId, input.code))
  if (!order) return failure('NOT_FOUND')
  const missing = order.totalAmount > 0 ? await checkBuyer(ctx) : null
  if (missing) return missing

  const begun = await closeOthersAndBegin(ctx, (tx) =>
    beginPayment(tx, ctx.actor, order.id, input.method, ctx.provider.name),
  )
  if (!begun) return failure('PROVIDER_UNAVAILABLE')
  if (isFailure(begun)) return begun
  const { payment } = begun
  const path = returnPath(input.returnUrl, { order: order.code, payment: payment.id })
  if (payment.provider === noProvider) return { payment: viewPayment(payment), redirectUrl: path }

  const created = await create(ctx, begun, input, path)
  if (!created) return failure('PROVIDER_UNAVAILABLE')
  const saved = await ctx.inTransaction((tx) => saveCreated(tx, payment.id, created))
  if (isFailure(saved)) {
    await closeAtProvider(ctx, payment)
    return saved
  }
  return { payment: viewPayment(saved.payment), redirectUrl: created.redirectUrl ?? path }
}

/**
 * Stores what the provider has created. Fails with ORDER_NOT_PAYABLE if the payment was closed in
 * the meantime, for example because the member cancelled the order in another window.
 */
const saveCreated = async (
  ctx: Ctx,
  id: PaymentId,
  { providerRef, account }: CreatedPayment,
): Promise<{ payment: PaymentRow } | Failure> => {
  const locked = await lockPayment(ctx.db, ctx.customer.id, id)
  const status = locked?.payment.status
  if (!locked || status === 'FAILED' || status === 'CANCELLED') return failure('ORDER_NOT_PAYABLE')
  if (account) return issueDeposit(ctx, locked, providerRef, account)
  return { payment: await updatePayment(ctx.db, locked.payment, { providerRef }) }
}

/** Closes what was created too late, before the member sees it. */
const closeAtProvider = async (ctx: PaymentCtx, payment: PaymentRow): Promise<void> => {
  try {
    await ctx.providerNamed(payment.provider).cancel(merchantOf(ctx), payment.id)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
  }
}

/** Null if the provider is unavailable. */
const create = async (
  ctx: MemberPaymentCtx,
  { payment, items }: PaymentStarted,
  { method, locale }: PaymentStart,
  returnUrl: string,
): Promise<CreatedPayment | null> => {
  const titles = items.map((item) => item.productTitle)
  const buyer = await buyerOf(ctx)
  try {
    return await ctx.providerNamed(payment.provider).createPayment(merchantOf(ctx), {
      reference: payment.id,
      method,
      amount: { amount: payment.amount, currency: payment.currency },
      title: orderTitle(titles, locale),
      returnUrl,
      locale,
      buyer,
      dueAt: payment.dueAt === null ? null : new Date(payment.dueAt),
    })
  } catch (error) {
    if (error instanceof ProviderUnavailable) return null
    throw error
  }
}

/**
 * Runs `begin` in a transaction, closes the payments that block it outside of that transaction, and
 * runs it again until none does. Returns null if a provider does not close one.
 */
export const closeOthersAndBegin = async <Begun>(
  ctx: PaymentCtx,
  begin: (tx: Ctx) => Promise<Begun | BlockingPayments>,
): Promise<Begun | null> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const begun = await ctx.inTransaction(begin)
    if (!isBlocked(begun)) return begun
    for (const { id } of begun.blocking) if ((await closePayment(ctx, id, begun.reason)) === 'WAITING') return null
  }
  return null
}

const isBlocked = <Begun>(begun: Begun | BlockingPayments): begun is BlockingPayments =>
  typeof begun === 'object' && begun !== null && 'blocking' in begun

/**
 * Settles a payment after the browser has returned, and returns the order. Fails with NOT_FOUND if
 * it is not the member's.
 */
export const confirmPayment = async (ctx: MemberPaymentCtx, id: PaymentId): Promise<{ order: Order } | Failure> => {
  const { memberId } = ctx.actor
  const stored = await ctx.inTransaction((tx) => findPaymentOf(tx.db, tx.customer.id, memberId, id))
  if (!stored) return failure('NOT_FOUND')
  const open = stored.payment.status === 'READY' || stored.payment.status === 'PROCESSING'
  if (open) await settle(ctx, id, 'RETURN')
  const order = await ctx.inTransaction((tx) => getOrder({ ...tx, actor: ctx.actor }, stored.order.code))
  return isFailure(order) ? order : { order }
}
