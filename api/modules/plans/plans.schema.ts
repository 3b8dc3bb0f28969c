import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { amount, at, createdAt, currency, customerId, id, translations } from '#api/platform/db/columns.ts'
import type { ChargeKind } from '#contract/admin/subscriptions.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type {
  CardId,
  CategoryId,
  MemberId,
  PaymentId,
  PlanCode,
  PlanId,
  ProductId,
  QuoteId,
  SubscriptionId,
} from '#contract/ids.ts'
import type { EndReason, Plan, Subscription, SubscriptionEvent } from '#contract/subscriptions.ts'
import type { Translations } from '#contract/translations.ts'
import { cards } from './cards.schema.ts'

export type PlanScope = Plan['scope']

export const plans = pgTable(
  'plans',
  {
    customerId: customerId().references(() => customers.customerId),
    id: id<PlanId>(),
    code: text('code').$type<PlanCode>().notNull(),
    name: text('name').notNull(),
    summary: text('summary').notNull().default(''),
    benefits: text('benefits').array().notNull().default(sql`'{}'::text[]`),
    priceAmount: amount('price_amount').notNull(),
    currency: currency(),
    cycle: text('cycle').$type<PlanCycle>().notNull(),
    trialDays: integer('trial_days').notNull().default(0),
    /**
     * ALL covers every product with PLAN or PURCHASE_OR_PLAN access. Otherwise the plan covers its
     * categories or its listed products.
     */
    scope: text('scope').$type<PlanScope>().notNull(),
    categoryIds: uuid('category_ids').array().$type<CategoryId[]>().notNull().default(sql`'{}'::uuid[]`),
    /** The maximum number of simultaneous streams. */
    streams: integer('streams').notNull().default(1),
    onSale: boolean('on_sale').notNull().default(true),
    recommended: boolean('recommended').notNull().default(false),
    sort: integer('sort').notNull().default(0),
    translations: translations(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('plans_code').on(t.customerId, t.code),
    check('plans_cycle', sql`${t.cycle} in ('MONTH', 'YEAR')`),
    check('plans_scope', sql`${t.scope} in ('ALL', 'CATEGORIES', 'PRODUCTS')`),
    check('plans_price', sql`${t.priceAmount} >= 0 and ${t.trialDays} >= 0 and ${t.streams} >= 1`),
  ],
)

/** The products of a plan whose scope is PRODUCTS. */
export const planProducts = pgTable(
  'plan_products',
  {
    customerId: customerId(),
    planId: uuid('plan_id').$type<PlanId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.planId, t.productId] }),
    foreignKey({ columns: [t.customerId, t.planId], foreignColumns: [plans.customerId, plans.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/**
 * A regular subscription. PROCEEDING is active; PENDING waits for its first charge, or is overdue.
 * `endedAt` is null until it ends. The price is the one the member accepted; another price needs
 * new consent.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    customerId: customerId(),
    id: id<SubscriptionId>(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    planId: uuid('plan_id').$type<PlanId>().notNull(),
    status: text('status').$type<Subscription['status']>().notNull(),
    priceAmount: amount('price_amount').notNull(),
    currency: currency(),
    cycle: text('cycle').$type<PlanCycle>().notNull(),
    cardId: uuid('card_id').$type<CardId>(),
    /**
     * The day of the month on which periods start. In a shorter month, the period ends on the last
     * day.
     */
    anchorDay: integer('anchor_day'),
    activatedAt: at('activated_at'),
    /** The trial that the member agreed to. Null if the member subscribed before it was stored. */
    trialDays: integer('trial_days'),
    trialEndsAt: at('trial_ends_at'),
    periodStart: at('period_start'),
    periodEnd: at('period_end'),
    cancelAt: at('cancel_at'),
    cancelReason: text('cancel_reason'),
    /** Overdue: failed attempts of this renewal, the next attempt and the end of access. */
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: at('next_attempt_at'),
    graceUntil: at('grace_until'),
    /** The plan that applies from the next renewal. */
    nextPlanId: uuid('next_plan_id').$type<PlanId>(),
    /** The accepted price of the next plan. */
    nextPriceAmount: amount('next_price_amount'),
    /** Nothing is charged while it is paused. Access ends with what is paid. */
    pausedAt: at('paused_at'),
    resumeAt: at('resume_at'),
    endedAt: at('ended_at'),
    endReason: text('end_reason').$type<EndReason>(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('subscriptions_one_current').on(t.customerId, t.memberId).where(sql`ended_at is null`),
    index('subscriptions_member').on(t.customerId, t.memberId, t.createdAt.desc()),
    index('subscriptions_started')
      .on(t.customerId, t.activatedAt.desc(), t.id.desc())
      .where(sql`activated_at is not null`),
    index('subscriptions_next_charge')
      .on(t.customerId, sql`coalesce(next_attempt_at, period_end)`, t.id)
      .where(sql`ended_at is null and cancel_at is null and activated_at is not null`),
    index('subscriptions_due').on(t.customerId, t.periodEnd).where(sql`ended_at is null`),
    index('subscriptions_inactive').on(t.customerId).where(sql`ended_at is null and activated_at is null`),
    /** A round over all tenants finds the due ones among all current subscriptions by the time. */
    index('subscriptions_next_step')
      .on(sql`least(cancel_at, period_end, next_attempt_at)`, t.customerId)
      .where(sql`ended_at is null`),
    index('subscriptions_paused')
      .on(sql`least(cancel_at, resume_at)`, t.customerId)
      .where(sql`ended_at is null and paused_at is not null`),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({ columns: [t.customerId, t.planId], foreignColumns: [plans.customerId, plans.id] }),
    foreignKey({ columns: [t.customerId, t.nextPlanId], foreignColumns: [plans.customerId, plans.id] }),
    foreignKey({ columns: [t.customerId, t.cardId], foreignColumns: [cards.customerId, cards.id] }),
    check('subscriptions_status', sql`${t.status} in ('PROCEEDING', 'PENDING')`),
    check(
      'subscriptions_end',
      sql`${t.endReason} in ('CANCELLED', 'UNPAID', 'FIRST_CHARGE_FAILED', 'REFUNDED', 'WITHDRAWN', 'REPLACED')`,
    ),
  ],
)

/**
 * One charge of a subscription. Its id is the provider's reference, so that a repeated attempt
 * charges once.
 */
export const subscriptionCharges = pgTable(
  'subscription_charges',
  {
    customerId: customerId(),
    id: id<PaymentId>(),
    subscriptionId: uuid('subscription_id').$type<SubscriptionId>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    planId: uuid('plan_id').$type<PlanId>().notNull(),
    kind: text('kind').$type<ChargeKind>().notNull(),
    periodStart: at('period_start').notNull(),
    periodEnd: at('period_end').notNull(),
    amount: amount('amount').notNull(),
    refundedAmount: amount('refunded_amount').notNull().default(0),
    currency: currency(),
    attempt: integer('attempt').notNull().default(0),
    provider: text('provider').notNull(),
    providerRef: text('provider_ref'),
    status: text('status').$type<'PENDING' | 'PAID' | 'FAILED'>().notNull().default('PENDING'),
    failure: text('failure'),
    cardIssuer: text('card_issuer'),
    cardLastFour: text('card_last_four'),
    createdAt: createdAt(),
    settledAt: at('settled_at'),
    /**
     * What staff have decided to refund in all; null without a decision. The refund follows until
     * `refundedAmount` has reached it.
     */
    refundTotal: amount('refund_total'),
    /** What staff have refunded since the last change of the plan: the credit is less by it. */
    refundedByStaff: amount('refunded_by_staff').notNull().default(0),
    /** The provider is not queried again before this time. */
    nextCheckAt: at('next_check_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('subscription_charges_refunds').on(t.customerId, t.createdAt).where(sql`refund_total > refunded_amount`),
    /** Workers may race: a period has one pending attempt at a time and is paid once. */
    uniqueIndex('subscription_charges_try').on(t.customerId, t.subscriptionId, t.kind, t.periodStart, t.attempt),
    uniqueIndex('subscription_charges_paid_once')
      .on(t.customerId, t.subscriptionId, t.kind, t.periodStart)
      .where(sql`status = 'PAID' and kind <> 'UPGRADE'`),
    index('subscription_charges_member').on(t.customerId, t.memberId, t.createdAt.desc()),
    index('subscription_charges_unapplied')
      .on(t.customerId)
      .where(sql`failure = 'UNAPPLIED' and refunded_amount < amount`),
    index('subscription_charges_settled').on(t.customerId, t.settledAt).where(sql`status = 'PAID'`),
    index('subscription_charges_open').on(t.customerId, t.createdAt).where(sql`status = 'PENDING'`),
    foreignKey({
      columns: [t.customerId, t.subscriptionId],
      foreignColumns: [subscriptions.customerId, subscriptions.id],
    }),
    check('subscription_charges_kind', sql`${t.kind} in ('FIRST', 'RENEWAL', 'UPGRADE')`),
    check('subscription_charges_status', sql`${t.status} in ('PENDING', 'PAID', 'FAILED')`),
    check('subscription_charges_amounts', sql`${t.amount} >= 0 and ${t.refundedAmount} between 0 and ${t.amount}`),
  ],
)

/** Subscription events. Append-only. */
export const subscriptionEvents = pgTable(
  'subscription_events',
  {
    customerId: customerId(),
    id: id(),
    subscriptionId: uuid('subscription_id').$type<SubscriptionId>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    planId: uuid('plan_id').$type<PlanId>().notNull(),
    /**
     * The plan's name and translations at the time of the event. A later rename does not alter the
     * history.
     */
    planName: text('plan_name').notNull().default(''),
    planTranslations: jsonb('plan_translations').$type<Translations>().notNull().default({}),
    type: text('type').$type<SubscriptionEvent['type']>().notNull(),
    amount: amount('amount'),
    /** REFUNDED: the charge. Null in rows that an earlier release wrote. */
    chargeId: uuid('charge_id').$type<PaymentId>(),
    detail: text('detail'),
    at: at('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('subscription_events_member').on(t.customerId, t.memberId, t.at.desc()),
    index('subscription_events_refunded').on(t.customerId, t.at).where(sql`type = 'REFUNDED'`),
    index('subscription_events_pauses').on(t.customerId, t.subscriptionId).where(sql`type in ('PAUSED', 'RESUMED')`),
    foreignKey({
      columns: [t.customerId, t.subscriptionId],
      foreignColumns: [subscriptions.customerId, subscriptions.id],
    }),
  ],
)

/** The price of a change of plan now, valid for 15 minutes. */
export const subscriptionQuotes = pgTable(
  'subscription_quotes',
  {
    customerId: customerId(),
    id: id<QuoteId>(),
    subscriptionId: uuid('subscription_id').$type<SubscriptionId>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    planId: uuid('plan_id').$type<PlanId>().notNull(),
    /** The plan's price at that time, which the member accepts with the quote. */
    priceAmount: amount('price_amount').notNull(),
    creditAmount: amount('credit_amount').notNull(),
    chargeAmount: amount('charge_amount').notNull(),
    /** Changes by staff: the part of the credit that the new plan does not cost. */
    refundAmount: amount('refund_amount').notNull().default(0),
    byStore: boolean('by_store').notNull().default(false),
    currency: currency(),
    periodStart: at('period_start').notNull(),
    periodEnd: at('period_end').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    foreignKey({
      columns: [t.customerId, t.subscriptionId],
      foreignColumns: [subscriptions.customerId, subscriptions.id],
    }),
  ],
)

/**
 * Trials of members who have left. The hash of tenant and email only serves to recognise the same
 * email again, so that a trial is given once per person instead of once per account.
 */
export const pastTrials = pgTable(
  'past_trials',
  { customerId: customerId(), emailHash: text('email_hash').notNull(), createdAt: createdAt() },
  (t) => [primaryKey({ columns: [t.customerId, t.emailHash] })],
)
