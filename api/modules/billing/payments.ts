import { type CreatedPayment, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { readyProducts } from '#api/modules/catalog/products.queries.ts'
import { rightsOf } from '#api/modules/entitlements/entitlements.ts'
import { owns } from '#api/modules/orders/cart-view.ts'
import {
  appendOrderEvent,
  findOrder,
  itemsOf,
  lockOrder,
  type OrderItemRow,
  type OrderRow,
  rivalDrafts,
  updateOrder,
  waitingRival,
} from '#api/modules/orders/orders.queries.ts'
import { type Ctx, type Failure, failure, isFailure, type Member } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import type { Order, Payment } from '#contract/orders.ts'
import { issueDeposit } from './deposits.ts'
import { getOrder, viewPayment } from './orders.ts'
import {
  buyerOf,
  checkBuyer,
  type MemberPaymentEnv,
  merchantOf,
  offeredMethods,
  orderTitle,
  type PaymentEnv,
} from './payment-states.ts'
import {
  findPaymentOf,
  insertPayment,
  lockBuyer,
  openPayments,
  type PaymentRow,
  updatePayment,
} from './payments.queries.ts'
import { closePayment } from './reconcile-payments.ts'
import { completeOrder, settle } from './settle-payment.ts'

export type Begun = { payment: PaymentRow; items: OrderItemRow[] }

/** Payments that have to be closed before a new one is begun, and what that means for their orders. */
export interface InTheWay {
  inTheWay: PaymentRow[]
  why: 'SUPERSEDED' | 'METHOD_CHANGED'
}

/** The provider's name on a payment of nothing. */
export const noProvider = 'none'

/** Under the buyer's and the order's lock: the open payment, or a new one; or what has to be closed first. */
export const begin = async (
  ctx: Ctx,
  { memberId }: Member,
  orderId: string,
  method: PaymentMethod,
  provider: string,
): Promise<Begun | InTheWay | Failure> => {
  const { db, customer } = ctx
  await lockBuyer(db, memberId)
  const order = await lockOrder(db, customer.id, orderId)
  if (!order || !mayBePaid(order, ctx.clock.now())) return failure('ORDER_NOT_PAYABLE')
  const items = await itemsOf(db, customer.id, [order.id])
  const products = items.map((item) => item.productId)
  const rivals = await rivalDrafts(db, order, products)
  const inTheWay = await openPayments(
    db,
    customer.id,
    rivals.map((rival) => rival.id),
  )
  if (inTheWay.length > 0) return { inTheWay, why: 'SUPERSEDED' }
  const waiting = await waitingRival(db, order, products)
  if (waiting) return failure('DEPOSIT_OPEN', { data: { code: waiting } })
  if (await ownsOneOf(ctx, items)) return failure('ALREADY_OWNED')
  if (order.status === null && (await readyProducts(db, customer.id, products)).size < new Set(products).size)
    return failure('NOT_READY')
  const givesNothingAway = !customer.settings.order.useFree
  if (order.status === null && givesNothingAway && items.some(({ priceAmount }) => priceAmount === 0))
    return failure('ORDER_NOT_PAYABLE')

  const [open] = await openPayments(db, customer.id, [order.id])
  if (open && open.method !== method) return { inTheWay: [open], why: 'METHOD_CHANGED' }
  return { payment: open ?? (await write(ctx, order, method, provider)), items }
}

/** A draft in its half hour, or an order whose deposit may still come. */
const mayBePaid = ({ status, expiresAt, depositDeadline }: OrderRow, now: Date) => {
  if (status !== null && status !== 'DEPOSIT_WAITING') return false
  const end = status === null ? expiresAt : depositDeadline
  return end === null || Date.parse(end) > now.getTime()
}

const write = async (ctx: Ctx, order: OrderRow, method: PaymentMethod, provider: string): Promise<PaymentRow> => {
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
    // A new account does not give an order more time than its first one did.
    dueAt: method === 'BANK' && !free ? (order.depositDeadline ?? deposit) : null,
    createdAt: now.toISOString(),
    settledAt: free ? now.toISOString() : null,
  })
  await updateOrder(db, order, { method })
  await appendOrderEvent(db, order, { type: 'PAYMENT_STARTED', amount: order.totalAmount, at: now })
  if (free) await completeOrder(ctx, { ...order, method }, null)
  return payment
}

/** Whether something of the order was obtained since it was placed. A rental does not stand in the way of a purchase. */
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
  /** The language the person reads, for the provider's page. */
  locale: string
}

/** Windows that begin to pay at one moment close each other's payments; so often before one of them gives up. */
const attempts = 20

/**
 * Begins to pay an order and answers where the browser goes. Asked again while a payment is open, it leads to the same one; another
 * method closes that one first, and an order that waits for a deposit is paid by card instead. Other open payments of the member for
 * the same products are closed, so that two windows cannot pay for one product twice; while the provider does not say how one of them
 * stands, nothing new is begun. A bank account is issued at once and there is no page to go to. An order of nothing is complete.
 */
export const startPayment = async (
  env: MemberPaymentEnv,
  input: PaymentStart,
): Promise<{ payment: Payment; redirectUrl: string } | Failure> => {
  if (!offeredMethods(env).includes(input.method)) {
    return failure('VALIDATION_FAILED', { errors: { method: ['Choose one of the available payment methods.'] } })
  }
  const order = await env.inTransaction((ctx) => findOrder(ctx.db, ctx.customer.id, env.actor.memberId, input.code))
  if (!order) return failure('NOT_FOUND')
  const missing = order.totalAmount > 0 ? await checkBuyer(env) : null
  if (missing) return missing

  const begun = await beginAlone(env, order, input.method)
  if (isFailure(begun)) return begun
  const { payment } = begun
  const backTo = returnPath(input.returnUrl, order.code, payment.id)
  if (payment.provider === noProvider) return { payment: viewPayment(payment), redirectUrl: backTo }

  const created = await create(env, begun, input, backTo)
  if (!created) return failure('PROVIDER_UNAVAILABLE')
  const kept = created.account ? await issueDeposit(env, payment, created) : await keepReference(env, payment, created)
  if (isFailure(kept)) return kept
  return { payment: viewPayment(kept.payment), redirectUrl: created.redirectUrl ?? backTo }
}

const keepReference = async (env: MemberPaymentEnv, payment: PaymentRow, { providerRef }: CreatedPayment) => ({
  payment: await env.inTransaction((ctx) => updatePayment(ctx.db, payment, { providerRef })),
})

/** Null where the provider does not answer. */
const create = async (
  env: MemberPaymentEnv,
  { payment, items }: Begun,
  { method, locale }: PaymentStart,
  returnUrl: string,
): Promise<CreatedPayment | null> => {
  const titles = items.map((item) => item.productTitle)
  const buyer = await buyerOf(env)
  try {
    return await env.providerNamed(payment.provider).createPayment(merchantOf(env), {
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

/** Begins once no other payment for the same products is open. */
const beginAlone = async (env: MemberPaymentEnv, order: OrderRow, method: PaymentMethod) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const begun = await env.inTransaction((ctx) => begin(ctx, env.actor, order.id, method, env.provider.name))
    if (!('inTheWay' in begun)) return begun
    for (const { id } of begun.inTheWay) await closePayment(env, id, begun.why)
  }
  return failure('PROVIDER_UNAVAILABLE')
}

/** The path the provider sends the browser back to, with what was paid in its query. */
const returnPath = (path: string, order: string, payment: string) => {
  const url = new URL(path, 'http://store.invalid')
  url.searchParams.set('order', order)
  url.searchParams.set('payment', payment)
  return `${url.pathname}${url.search}${url.hash}`
}

/** The browser has come back: settles the payment and answers the order as it stands. */
export const confirmPayment = async (
  env: PaymentEnv & { actor: Member },
  id: PaymentId,
): Promise<{ order: Order } | Failure> => {
  const { memberId } = env.actor
  const own = await env.inTransaction((ctx) => findPaymentOf(ctx.db, ctx.customer.id, memberId, id))
  if (!own) return failure('NOT_FOUND')
  const open = own.payment.status === 'READY' || own.payment.status === 'PROCESSING'
  if (open) await settle(env, id, 'RETURN')
  const order = await env.inTransaction((ctx) => getOrder({ ...ctx, actor: env.actor }, own.order.code))
  return 'failure' in order ? order : { order }
}
