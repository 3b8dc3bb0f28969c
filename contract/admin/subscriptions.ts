import * as z from 'zod/mini'
import { planCycle, subscriptionSort, subscriptionState, subscriptionStatus } from '../enumerations.ts'
import { memberId, paymentId, planCode, planId, quoteId, subscriptionId } from '../ids.ts'
import { money } from '../money.ts'
import { pause } from '../subscriptions.ts'
import { requiredText } from '../text.ts'
import { exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'
import { buyer } from './orders.ts'

const chargeKind = z.enum(['FIRST', 'RENEWAL', 'UPGRADE'])
export type ChargeKind = z.output<typeof chargeKind>

const started = z.object({
  id: subscriptionId,
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  plan: z.string(),
  planId,
  status: subscriptionStatus,
  cycle: planCycle,
  /** The price that the member agreed to. */
  price: money,
  startedAt: z.nullable(z.iso.datetime()),
  trialEndsAt: z.nullable(z.iso.datetime()),
  periodEnd: z.nullable(z.iso.datetime()),
  /** Null if no further charge follows. */
  nextCharge: z.nullable(z.object({ at: z.iso.datetime(), amount: money })),
  cancelAt: z.nullable(z.iso.datetime()),
  paused: z.nullable(pause),
  /** The plan that applies from the next renewal, if it changes. */
  nextPlan: z.nullable(z.object({ id: planId, name: z.string() })),
  /** The other plans of the store, on sale or not. */
  otherPlans: z.array(z.object({ id: planId, name: z.string(), price: money, cycle: planCycle, onSale: z.boolean() })),
  /** A renewal that failed: the reason, the next attempt, and the end of access. */
  overdue: z.nullable(
    z.object({
      failure: z.nullable(z.string()),
      attempts: z.int(),
      nextAttemptAt: z.nullable(z.iso.datetime()),
      graceUntil: z.iso.datetime(),
    }),
  ),
  /** What is refunded if it ends now: the unused share of the paid period. */
  refundNow: money,
})

export const memberSubscription = z.object({
  /** Null without a subscription that has started. */
  current: z.nullable(started),
  /** The latest hundred charges of the member, latest first. */
  charges: z.array(
    z.object({
      id: paymentId,
      at: z.iso.datetime(),
      plan: z.string(),
      kind: chargeKind,
      status: z.enum(['PENDING', 'PAID', 'FAILED']),
      amount: money,
      refunded: money,
      /** What can still be refunded. A refund that has begun is left out. */
      refundable: money,
      /** What the refund rule gives of it now: its part of the unused share of the paid period. */
      rule: money,
      /** Send it as `If-Match` with a refund. */
      version: z.string(),
      failure: z.nullable(z.string()),
    }),
  ),
})
export type MemberSubscription = z.output<typeof memberSubscription>

export const memberSubscriptionCancel = z.object({
  id: memberId,
  /** For the audit log; the member does not see it. */
  reason: requiredText(500),
})

export const memberSubscriptionExtend = z.object({
  ...memberSubscriptionCancel.shape,
  /** Free days that are added to the trial or paid period. */
  days: z.int().check(z.gte(1), z.lte(366)),
})

export const memberSubscriptionPause = z.object({
  ...memberSubscriptionCancel.shape,
  /**
   * The day on which it resumes, in the store’s time zone: after the paid period, at most twelve
   * months after it. Without one, staff resume it.
   */
  until: z.optional(z.iso.date()),
})

/**
 * NONE: nothing is due yet. DECLINED: the renewal is overdue. WAITING: the provider has not
 * answered.
 */
export const subscriptionResumed = z.object({ charge: z.enum(['NONE', 'PAID', 'DECLINED', 'WAITING']) })
export type SubscriptionResumed = z.output<typeof subscriptionResumed>

export const planChangeQuery = z.object({ id: memberId, planId })
/** What a change of plan means for the member’s money. */
export const planChangeQuote = z.object({
  /** Of the subscription. Send it as `If-Match` with the change. */
  version: z.string(),
  /**
   * The first charge of the new plan if it changes at the renewal. `at`: null while paused without
   * a day.
   */
  atRenewal: z.object({ at: z.nullable(z.iso.datetime()), amount: money }),
  /** Null where the plan cannot change now: paused, or the store charges nobody. */
  now: z.nullable(
    z.object({
      id: quoteId,
      /** The unused part of what is paid. */
      credit: money,
      /** What is charged at once. */
      charge: money,
      /** What is refunded at once: the part of the credit that the new plan does not cost. */
      refund: money,
      nextCharge: z.object({ at: z.iso.datetime(), amount: money }),
      expiresAt: z.iso.datetime(),
    }),
  ),
})
export type PlanChangeQuote = z.output<typeof planChangeQuote>

/** The present plan revokes a scheduled change. */
export const memberPlanChange = z.object({ ...memberSubscriptionCancel.shape, planId })
export const memberPlanChangeNow = z.object({ ...memberSubscriptionCancel.shape, quoteId })

/** ACCEPT: the provider has not confirmed the refund yet and is asked again. */
export const subscriptionEnded = z.object({ step: z.enum(['REFUND', 'ACCEPT']), refund: money })
export type SubscriptionEnded = z.output<typeof subscriptionEnded>

export const memberChargeRefund = z.object({
  ...memberSubscriptionCancel.shape,
  chargeId: paymentId,
  /** In minor units, at most what can still be refunded. */
  amount: z.int().check(z.gte(1), z.lte(1e12)),
  /** Refunds more than the refund rule gives. */
  overridesRule: z._default(z.boolean(), false),
})

export const planChanged = z.object({ ...subscriptionEnded.shape, charge: money })
export type PlanChanged = z.output<typeof planChanged>

const subscriptionRow = z.object({
  id: subscriptionId,
  /** Null for a withdrawn account. */
  member: z.nullable(buyer),
  plan: z.string(),
  state: subscriptionState,
  cycle: planCycle,
  /** The price that the member agreed to. */
  price: money,
  startedAt: z.iso.datetime(),
  nextCharge: started.shape.nextCharge,
  /** When it ends or has ended; null while it is renewed. */
  endsAt: z.nullable(z.iso.datetime()),
  overdue: started.shape.overdue,
})

const subscriptionFilters = {
  state: z.optional(subscriptionState),
  plan: z.optional(planCode),
  sort: z._default(subscriptionSort, 'STARTED'),
  /** The start of a member’s email address. */
  q: searchText,
}
export const storeSubscriptionQuery = z.object({ ...keysetQuery, ...subscriptionFilters })
export const storeSubscriptionExport = z.object({ ...subscriptionFilters, columns: exportedColumns })
export const storeSubscriptionPage = keysetPage(subscriptionRow)
/** The plans of the store, on sale or not, to filter by. */
export const storePlans = z.object({ items: z.array(z.object({ code: planCode, name: z.string() })) })
