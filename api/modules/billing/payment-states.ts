import {
  depositExpiredMail,
  depositIssuedMail,
  depositReminderMail,
  depositReversedMail,
} from '#api/modules/billing/mails/deposits.ts'
import type { Buyer, Merchant, PaymentProvider, ProviderPayment } from '#api/modules/billing/providers/provider.ts'
import { revokeEntitlements } from '#api/modules/entitlements/entitlements.queries.ts'
import { findMember } from '#api/modules/identity/identity.queries.ts'
import { queueMemberMail } from '#api/modules/identity/member-mail.ts'
import { fieldMessage } from '#api/modules/identity/profile.ts'
import {
  appendOrderEvent,
  itemsOf,
  type OrderItemRow,
  type OrderRow,
  updateOrder,
} from '#api/modules/orders/orders.queries.ts'
import { nextOrderState, type OrderChange, type OrderState } from '#api/modules/orders/orders.ts'
import { type Ctx, type Failure, failure, type Member } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { PaymentStatus } from './billing.schema.ts'
import type { PaymentRow } from './payments.queries.ts'

/**
 * What the verbs of payment get in place of a context: they speak with a provider between their transactions, never inside one, so
 * that a slow provider holds no lock and no connection.
 */
export interface PaymentEnv extends Omit<Ctx, 'db'> {
  /** Who takes new payments. */
  provider: PaymentProvider
  /** Who took a payment, by the name kept with it: another may take new ones since. */
  providerNamed: (name: string) => PaymentProvider
  /** The store's, as the asking browser knows it. */
  origin: string
  /** Opens what is encrypted in the database: cards' tokens, refund accounts. */
  encryptionSecret: string
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

/** The same for a member who has signed in. */
export type MemberPaymentEnv = PaymentEnv & { actor: Member }

/** The same, speaking with who took a payment. */
export const atProvider = <Env extends PaymentEnv>(env: Env, { provider }: { provider: string }): Env => ({
  ...env,
  provider: env.providerNamed(provider),
})

export const merchantOf = ({ customer, origin }: PaymentEnv): Merchant => ({
  id: customer.id,
  code: customer.code,
  origin,
  currency: customer.settings.base.currency,
})

/**
 * Payments only move forward; what is not listed is an event that comes too late and is ignored. The one way back is a bank's: a
 * deposit that is reversed, after which the account waits again or is closed.
 */
export const paymentTransitions = {
  READY: ['PROCESSING', 'PAID', 'FAILED', 'CANCELLED'],
  PROCESSING: ['PAID', 'FAILED', 'CANCELLED'],
  PAID: ['READY', 'FAILED'],
  FAILED: [],
  CANCELLED: [],
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>

export const paymentMayBecome = (from: PaymentStatus, to: PaymentStatus) =>
  paymentTransitions[from].some((status) => status === to)

/** Why a payment ended without being paid, where the store itself said so. */
export type Closure =
  | 'ABANDONED'
  | 'SUPERSEDED'
  /** Another method was chosen: the order goes on waiting. */
  | 'METHOD_CHANGED'
  | 'DEPOSIT_EXPIRED'
  | 'CANCELLED_BY_MEMBER'

/** What a payment at the provider means for the order that waits for it. */
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

const toBuyer = (order: OrderRow) => order.memberId
const total = (order: OrderRow) => ({ amount: order.totalAmount, currency: order.currency })

/** The account to pay into, the exact amount and the deadline. */
export const tellDepositIssued = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  items: readonly OrderItemRow[],
) => {
  if (!payment.account) return
  await queueMemberMail(ctx, toBuyer(order), {
    template: depositIssuedMail,
    data: {
      code: order.code,
      titles: items.map((item) => item.productTitle),
      amount: total(order),
      account: payment.account,
    },
    once: `deposit:${payment.id}`,
  })
}

/** A day before the deadline. */
export const remindOfDeposit = async (
  ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>,
  order: OrderRow,
  payment: PaymentRow | null,
) => {
  if (!order.depositDeadline) return
  await queueMemberMail(ctx, toBuyer(order), {
    template: depositReminderMail,
    data: {
      code: order.code,
      amount: total(order),
      account: payment?.account ?? null,
      dueAt: order.depositDeadline,
    },
    once: `deposit-reminder:${order.id}:${Math.floor(Date.parse(order.depositDeadline) / 1000)}`,
  })
}

export const tellDepositExpired = (ctx: Ctx, order: OrderRow) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: depositExpiredMail,
    data: { code: order.code, amount: total(order) },
    once: `deposit-expired:${order.id}`,
  })

export const tellDepositReversed = (ctx: Ctx, order: OrderRow) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: depositReversedMail,
    data: { code: order.code, amount: total(order), dueAt: order.depositDeadline },
    once: `deposit-reversed:${order.id}:${order.depositDeadline}`,
  })

export const stateOf = (order: Pick<OrderRow, 'status'>): OrderState => order.status ?? 'DRAFT'

const changes: Partial<Record<string, OrderChange>> = {
  DEPOSIT_EXPIRED: 'DEPOSIT_EXPIRED',
  CANCELLED_BY_MEMBER: 'DEPOSIT_CANCELLED',
}

/**
 * An order will not be paid any more: a draft for any reason, one that waits for a deposit when its time is over or its member
 * cancels. That one outlives a card that was declined. Anything else stays as it is.
 */
export const failOrder = async (ctx: Ctx, order: OrderRow, failure: string) => {
  const state = stateOf(order)
  const at = ctx.clock.now()
  const own = changes[failure]
  const next = (own && nextOrderState(state, own)) ?? nextOrderState(state, 'PAYMENT_FAILED')
  if (next === null) {
    if (state === 'DEPOSIT_WAITING') await appendOrderEvent(ctx.db, order, { type: 'FAILED', detail: failure, at })
    return
  }
  await updateOrder(ctx.db, order, { status: next, expiresAt: null, depositDeadline: null })
  await appendOrderEvent(ctx.db, order, {
    type: next === 'CANCEL_COMPLETE' ? 'CANCELLED' : 'FAILED',
    detail: failure,
    at,
  })
  if (state !== 'DEPOSIT_WAITING') return
  // A deposit that was reversed had given rights: suspended until now, they end.
  const items = await itemsOf(ctx.db, ctx.customer.id, [order.id])
  await revokeEntitlements(
    ctx.db,
    ctx.customer.id,
    items.map((item) => item.id),
    at,
  )
  if (own === 'DEPOSIT_EXPIRED') await tellDepositExpired(ctx, order)
}

const minute = 60_000
const day = 24 * 60 * minute

/**
 * When a provider is asked again about what began at a moment: after half of the time that has passed since, a minute at least and
 * `longest` milliseconds at most. What is young is asked about often, and what nobody ever answers takes no turn from it.
 */
export const askAgainAt = (now: Date, since: string, longest = day): string => {
  const age = now.getTime() - Date.parse(since)
  return new Date(now.getTime() + Math.min(Math.max(age / 2, minute), longest)).toISOString()
}

type MemberEnv = PaymentEnv & { actor: Member }

/** Who pays, as their gateway wants to know them. */
export const buyerOf = async (env: Pick<MemberEnv, 'actor' | 'inTransaction'>): Promise<Buyer> => {
  const member = await env.inTransaction((ctx) => findMember(ctx.db, ctx.customer.id, env.actor.memberId))
  if (!member) throw new Error('A member who pays is gone')
  const { name, email, phone } = member
  return { name, email, phone }
}

/** BUYER_DETAILS_MISSING where the store's provider needs what the member has not given yet, with each field by name. */
export const checkBuyer = async (env: MemberEnv): Promise<Failure | null> => {
  const needs = env.provider.buyerNeeds ?? []
  if (needs.length === 0) return null
  const buyer = await buyerOf(env)
  const missing = needs.filter((field) => !buyer[field])
  if (missing.length === 0) return null
  const errors: Record<string, string[]> = {}
  for (const field of missing) errors[field] = [fieldMessage(env.locale, `${field}Needed`)]
  return failure('BUYER_DETAILS_MISSING', { errors })
}

/** What can be paid with: what the tenant offers and the provider can do. */
export const offeredMethods = ({ customer, provider }: Pick<PaymentEnv, 'customer' | 'provider'>): PaymentMethod[] =>
  customer.settings.order.methods.filter((method) => provider.methods.includes(method))

/** What an order is called on the provider's page, in the language of the person who pays: its first product, and how many more. */
export const orderTitle = ([first = '', ...others]: readonly string[], locale: string): string => {
  if (others.length === 0) return first
  const i18n = messagesOf(locale)
  return i18n._('{title} and {count, plural, one {# more product} other {# more products}}', {
    title: first,
    count: others.length,
  })
}
