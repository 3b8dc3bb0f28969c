import * as z from 'zod/mini'
import { planCycle, subscriptionSort, subscriptionState, subscriptionStatus } from '../enumerations.ts'
import { memberId, paymentId, planCode, subscriptionId } from '../ids.ts'
import { money } from '../money.ts'
import { keysetPage, keysetQuery, searchText } from './lists.ts'
import { buyer } from './orders.ts'

const started = z.object({
  id: subscriptionId,
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  plan: z.string(),
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
      kind: z.enum(['FIRST', 'RENEWAL', 'UPGRADE']),
      status: z.enum(['PENDING', 'PAID', 'FAILED']),
      amount: money,
      refunded: money,
      failure: z.nullable(z.string()),
    }),
  ),
})
export type MemberSubscription = z.output<typeof memberSubscription>

export const memberSubscriptionCancel = z.object({
  id: memberId,
  /** For the audit log; the member does not see it. */
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
})

export const memberSubscriptionExtend = z.object({
  ...memberSubscriptionCancel.shape,
  /** Free days that are added to the trial or paid period. */
  days: z.int().check(z.gte(1), z.lte(366)),
})

/** ACCEPT: the provider has not confirmed the refund yet and is asked again. */
export const subscriptionEnded = z.object({ step: z.enum(['REFUND', 'ACCEPT']), refund: money })
export type SubscriptionEnded = z.output<typeof subscriptionEnded>

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
export const storeSubscriptionExport = z.object(subscriptionFilters)
export const storeSubscriptionPage = keysetPage(subscriptionRow)
/** The plans of the store, on sale or not, to filter by. */
export const storePlans = z.object({ items: z.array(z.object({ code: planCode, name: z.string() })) })
