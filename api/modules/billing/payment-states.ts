import type pg from 'pg'
import type { Logger } from 'pino'
import { depositExpiredMail } from '#api/modules/billing/mails/payments.ts'
import type { Buyer, Merchant, PaymentProvider, ProviderPayment } from '#api/modules/billing/providers/provider.ts'
import { revokeEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { fieldMessage, queueMemberMail } from '#api/modules/identity/profile.ts'
import { itemsOf, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import {
  changeOrder,
  nextOrderState,
  type OrderChange,
  type OrderState,
  recordOrderEvent,
} from '#api/modules/orders/orders.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import {
  type Actor,
  type Clock,
  type Ctx,
  type Customer,
  type DetachedCtx,
  type EventHandlers,
  type Failure,
  failure,
  type Member,
} from '#api/platform/context.ts'
import { secretFor } from '#api/platform/crypto.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { PaymentStatus } from './billing.schema.ts'
import type { ProviderOf } from './providers.ts'

/**
 * The context of payment use cases. They call a provider between transactions, never inside one, so
 * that a slow provider holds neither a lock nor a connection.
 */
export interface PaymentCtx extends DetachedCtx {
  /** The provider for new payments. */
  provider: PaymentProvider
  /**
   * Returns the provider that took a payment, by the name stored with it. The tenant may have
   * switched to another since.
   */
  providerNamed: (name: string) => PaymentProvider
  /** The store's origin as the requesting browser knows it. */
  origin: string
  /** Decrypts secrets in the database: card tokens and refund accounts. */
  encryptionSecret: string
}

/** A payment context with a signed-in member. */
export type MemberPaymentCtx = PaymentCtx & { actor: Member }

/** Dependencies of payments. */
export interface PaymentDeps {
  pool: pg.Pool
  clock: Clock
  log: Logger
  events: EventHandlers
  secret: string
  publicUrl: string | null
  /** Returns the provider of a tenant's payments. */
  providerOf: ProviderOf
}

/** What the settlement of a payment has come to. */
export type Settlement =
  | 'COMPLETED'
  | 'FAILED'
  /** The provider has not decided, or is unavailable. */
  | 'WAITING'
  /** An account waits for its deposit, and the provider has received none. */
  | 'OPEN'
  /** The payment was settled before. Nothing changed. */
  | 'SETTLED_BEFORE'
  /** The order cannot accept the money. It is refunded. */
  | 'UNAPPLIED'
  /** A deposit was reversed. The order waits for payment again. */
  | 'REVERSED'
  | 'UNKNOWN_PAYMENT'

/**
 * The provider's answer and the time of the query. An answer that predates the last decision must
 * not undo it.
 */
export type Answer = ProviderPayment & { queriedAt: Date }

export interface PaymentRequest extends Pick<Ctx, 'customer' | 'locale' | 'actor' | 'log' | 'requestId'> {
  deps: PaymentDeps
  /** The storefront's origin as the browser knows it. */
  origin: string
}

/** Creates the payment context for a request, a webhook or a job. */
export const paymentCtx = ({ deps, customer, locale, actor, log, requestId, origin }: PaymentRequest): PaymentCtx => {
  const shared = { customer, locale, actor, log, requestId, clock: deps.clock, events: deps.events }
  return {
    ...shared,
    origin,
    provider: deps.providerOf(customer),
    providerNamed: (name) => deps.providerOf(customer, name),
    encryptionSecret: secretFor(deps.secret, 'sealed columns'),
    inTransaction: (work) => withTenant(deps.pool, customer.id, (db) => work({ ...shared, db })),
  }
}

/** The actor of webhooks and of the reconciliation. */
const anonymousActor: Actor = { kind: 'GUEST', guestId: null }

/** Creates the payment context of a webhook or a job, in which no person acts. */
export const unattendedPaymentCtx = (deps: PaymentDeps, customer: Customer, requestId: string) =>
  paymentCtx({
    deps,
    customer,
    locale: customer.settings.base.locale,
    actor: anonymousActor,
    requestId,
    log: deps.log.child({ requestId, customer: customer.code }),
    // No browser is redirected in this context.
    origin: customer.settings.seo.publicUrl ?? deps.publicUrl ?? 'http://localhost',
  })

/**
 * Creates the payment context of a signed-in member. It has no open transaction: use cases open
 * their own around calls to the provider.
 */
export const memberPaymentCtx = (request: PaymentRequest & { actor: Member }): MemberPaymentCtx => ({
  ...paymentCtx(request),
  actor: request.actor,
})

/** The same context, bound to the provider that took the payment. */
export const atProvider = <Context extends PaymentCtx>(ctx: Context, { provider }: { provider: string }): Context => ({
  ...ctx,
  provider: ctx.providerNamed(provider),
})

/** Returns the store as payment providers identify it. */
export const merchantOf = ({ customer, origin }: PaymentCtx): Merchant => ({
  id: customer.id,
  code: customer.code,
  origin,
  currency: customer.settings.base.currency,
})

/**
 * Payments only move forward: an event that is not listed came too late and is ignored. The
 * exception is a deposit that the bank reverses; its account waits again or is closed.
 */
const paymentTransitions = {
  READY: ['PROCESSING', 'PAID', 'FAILED', 'CANCELLED'],
  PROCESSING: ['PAID', 'FAILED', 'CANCELLED'],
  PAID: ['READY', 'FAILED'],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>

/** Whether a payment may change from one status to another. */
export const paymentMayBecome = (from: PaymentStatus, to: PaymentStatus) =>
  paymentTransitions[from].some((status) => status === to)

/** Why the store closed an unpaid payment. */
export type Closure =
  | 'ABANDONED'
  | 'SUPERSEDED'
  /** The member chose another method; the order still waits for payment. */
  | 'METHOD_CHANGED'
  | 'DEPOSIT_EXPIRED'
  | 'CANCELLED_BY_MEMBER'
  | 'CANCELLED_BY_STORE'

/** Maps the status of a payment at the provider to the decision about its order. */
export const verdictOf = (
  payment: Pick<ProviderPayment, 'status' | 'amount'>,
  due: { amount: number; currency: string },
): 'PAID' | 'FAILED' | 'WAITING' | 'AMOUNT_MISMATCH' => {
  switch (payment.status) {
    case 'PAID':
      return payment.amount.amount === due.amount && payment.amount.currency === due.currency
        ? 'PAID'
        : 'AMOUNT_MISMATCH'
    case 'FAILED':
    case 'CANCELLED':
      return 'FAILED'
    case 'READY':
    case 'PROCESSING':
      return 'WAITING'
    default:
      return payment.status satisfies never
  }
}

const notifyDepositExpired = (ctx: Ctx, order: OrderRow, byStore: boolean) =>
  queueMemberMail(ctx, order.memberId, {
    template: depositExpiredMail,
    data: { code: order.code, amount: { amount: order.totalAmount, currency: order.currency }, byStore },
    once: `deposit-expired:${order.id}`,
  })

/** Returns the state of an order. An order without a status is a draft. */
export const stateOf = (order: Pick<OrderRow, 'status'>): OrderState => order.status ?? 'DRAFT'

const changes: Partial<Record<string, OrderChange>> = {
  DEPOSIT_EXPIRED: 'DEPOSIT_EXPIRED',
  CANCELLED_BY_MEMBER: 'DEPOSIT_CANCELLED',
  CANCELLED_BY_STORE: 'DEPOSIT_CANCELLED',
}

/**
 * Ends an order that will not be paid: a draft for any reason, an order that waits for a deposit
 * only when its deadline passes, or the member or staff cancel. A declined card does not end the
 * latter.
 * Orders in any other state are left unchanged.
 */
export const failOrder = async (ctx: Ctx, order: OrderRow, failure: string) => {
  const state = stateOf(order)
  const change = changes[failure]
  const next = (change && nextOrderState(state, change)) ?? nextOrderState(state, 'PAYMENT_FAILED')
  if (next === null) {
    if (state === 'DEPOSIT_WAITING') await recordOrderEvent(ctx, order, { type: 'FAILED', detail: failure })
    return
  }
  const type = next === 'CANCEL_COMPLETE' ? 'CANCELLED' : 'FAILED'
  await changeOrder(ctx, order, { status: next, expiresAt: null, depositDeadline: null }, { type, detail: failure })
  if (state !== 'DEPOSIT_WAITING') return
  // A reversed deposit had granted rights. They were suspended until now and end here.
  const items = await itemsOf(ctx.db, ctx.customer.id, [order.id])
  await revokeEntitlements(
    ctx,
    items.map((item) => item.id),
  )
  const byStore = failure === 'CANCELLED_BY_STORE'
  if (byStore || change === 'DEPOSIT_EXPIRED') await notifyDepositExpired(ctx, order, byStore)
}

const minute = 60_000

/**
 * When to query the provider again about something that started at `since`: after half of the
 * elapsed time, at least a minute and at most `longest` milliseconds. Recent payments are queried
 * often, and payments that never change do not delay others.
 */
export const calculateNextCheck = (now: Date, since: string, longest = dayMilliseconds): string => {
  const age = now.getTime() - Date.parse(since)
  return new Date(now.getTime() + Math.min(Math.max(age / 2, minute), longest)).toISOString()
}

/** The buyer's details as the payment gateway requires them. */
export const buyerOf = async (ctx: Pick<MemberPaymentCtx, 'actor' | 'inTransaction'>): Promise<Buyer> => {
  const member = await ctx.inTransaction((tx) => findMember(tx.db, tx.customer.id, ctx.actor.memberId))
  if (!member) throw new Error('The member of a payment was deleted')
  const { name, email, phone } = member
  return { name, email, phone }
}

/**
 * Returns BUYER_DETAILS_MISSING, with each missing field by name, if the provider requires details
 * the member has not given. Otherwise null.
 */
export const checkBuyer = async (ctx: MemberPaymentCtx): Promise<Failure | null> => {
  const needs = ctx.provider.buyerNeeds ?? []
  if (needs.length === 0) return null
  const buyer = await buyerOf(ctx)
  const missing = needs.filter((field) => !buyer[field])
  if (missing.length === 0) return null
  const errors: Record<string, string[]> = {}
  for (const field of missing) errors[field] = [fieldMessage(ctx.locale, `${field}Needed`)]
  return failure('BUYER_DETAILS_MISSING', { errors })
}

/** The payment methods that the tenant offers and the provider supports. */
export const offeredMethods = ({ customer, provider }: Pick<PaymentCtx, 'customer' | 'provider'>): PaymentMethod[] =>
  customer.settings.order.methods.filter((method) => provider.methods.includes(method))

/**
 * The order's title on the provider's page, in the buyer's language: the first product and the
 * number of others.
 */
export const orderTitle = ([first = '', ...others]: readonly string[], locale: string): string => {
  if (others.length === 0) return first
  const i18n = messagesOf(locale)
  return i18n._('{title} and {count, plural, one {# more product} other {# more products}}', {
    title: first,
    count: others.length,
  })
}

/** Returns the storefront's path to which a provider redirects, with `parameters` in its query. */
export const returnPath = (path: string, parameters: Record<string, string>): string => {
  const url = new URL(path, 'http://store.invalid')
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}${url.hash}`
}
