import * as z from 'zod/mini'
import { card, returnUrl } from './billing.ts'
import { planCycle, subscriptionStatus } from './enumerations.ts'
import { cardId, categoryId, planCode, planId, quoteId, subscriptionId } from './ids.ts'
import { money } from './money.ts'
import { page, pageOf, size } from './paging.ts'
import { textUpTo } from './text.ts'
import { textLanguages } from './translations.ts'

export const plan = z.object({
  id: planId,
  code: planCode,
  name: z.string(),
  summary: z.string(),
  benefits: z.array(z.string()),
  price: money,
  /** The viewer's agreed price, where it differs. */
  agreedPrice: z.nullable(money),
  cycle: planCycle,
  trialDays: z.int(),
  /** Whether the viewer can get the trial, which is granted once. */
  trialAvailable: z.boolean(),
  scope: z.enum(['ALL', 'CATEGORIES', 'PRODUCTS']),
  categories: z.array(z.object({ id: categoryId, name: z.string(), languages: textLanguages })),
  productCount: z.int(),
  streams: z.int(),
  onSale: z.boolean(),
  recommended: z.boolean(),
  /**
   * The charges of a subscription that begins now: the first one (after a trial, where there is
   * one), and the next.
   */
  ifStartedNow: z.object({ firstChargeAt: z.iso.datetime(), nextChargeAt: z.iso.datetime() }),
  /** The plan's relation to the viewer's own: none, the current or next one, above or below it. */
  relation: z.enum(['NONE', 'CURRENT', 'NEXT', 'UPGRADE', 'DOWNGRADE']),
  languages: textLanguages,
})
export type Plan = z.output<typeof plan>
export const planPath = z.object({ id: planId })
export const planProductsQuery = z.object({ page, size })

/** A pause by the store: nothing is charged, and access ends with the paid period. */
export const pause = z.object({
  since: z.iso.datetime(),
  /** Null until the store or the member ends it. */
  resumeAt: z.nullable(z.iso.datetime()),
  /** Null once access has ended. */
  accessUntil: z.nullable(z.iso.datetime()),
})

/** An active subscription with its scheduled changes. */
const subscription = z.object({
  id: subscriptionId,
  plan,
  status: subscriptionStatus,
  /** The agreed price, which may differ from the plan's current price. */
  price: money,
  cycle: planCycle,
  startedAt: z.nullable(z.iso.datetime()),
  trialEndsAt: z.nullable(z.iso.datetime()),
  periodStart: z.nullable(z.iso.datetime()),
  periodEnd: z.nullable(z.iso.datetime()),
  /** Null when no further charge is due. */
  nextCharge: z.nullable(z.object({ at: z.iso.datetime(), amount: money })),
  cancelAt: z.nullable(z.iso.datetime()),
  paused: z.nullable(pause),
  /** The plan that applies from the next renewal. */
  nextPlan: z.nullable(plan),
  /** Overdue: the reason, the next attempt, and the end of access. */
  overdue: z.nullable(
    z.object({
      failure: z.nullable(z.string()),
      attempts: z.int(),
      nextAttemptAt: z.nullable(z.iso.datetime()),
      graceUntil: z.nullable(z.iso.datetime()),
    }),
  ),
  card: z.nullable(card),
})
export type Subscription = z.output<typeof subscription>

/** `regular` is paid, `partnership` is granted by an operator. A member may have both. */
export const subscriptionAnswer = z.object({
  regular: z.nullable(subscription),
  partnership: z.nullable(z.object({ name: z.nullable(z.string()), until: z.iso.datetime() })),
})
export type SubscriptionAnswer = z.output<typeof subscriptionAnswer>

/**
 * Starts a subscription. With `cardId` it is charged at once, or its trial begins. Without it the
 * browser goes to the provider's page to register a card, and returns to `returnUrl` with
 * `subscription`. `expectedPrice` is the price shown to the member, and `expectedTrialDays` the
 * trial, 0 for none. A different price or trial answers 409 PRICE_CHANGED.
 */
export const subscribeBody = z.object({
  cardId: z.optional(cardId),
  returnUrl,
  expectedPrice: money,
  expectedTrialDays: z.optional(z.int().check(z.gte(0))),
  /** Prior consent to the charge at each renewal and after the trial. */
  agreeRecurring: z.literal(true),
})
export const subscribeAnswer = z.object({ subscriptionId, redirectUrl: z.string() })
/** The state of a new subscription. WAITING: the provider has not answered yet. */
export const subscribeConfirmed = z.object({
  result: z.enum(['ACTIVE', 'WAITING', 'FAILED']),
  failure: z.nullable(z.string()),
  subscription: z.nullable(subscription),
})
export type SubscribeConfirmed = z.output<typeof subscribeConfirmed>

export const quoteBody = z.object({ planId })
/**
 * A quote for a change of plan. An UPGRADE takes effect at once for `charge`. A DOWNGRADE takes
 * effect at `effectiveAt` and costs nothing now.
 */
export const quote = z.object({
  id: z.nullable(quoteId),
  kind: z.enum(['UPGRADE', 'DOWNGRADE']),
  plan,
  /** The unused part of the paid period. */
  credit: money,
  charge: money,
  effectiveAt: z.iso.datetime(),
  nextCharge: z.object({ at: z.iso.datetime(), amount: money }),
  /** The expiry of the upgrade's price. */
  expiresAt: z.nullable(z.iso.datetime()),
  /** The server's time, so that countdowns do not depend on the browser's clock. */
  now: z.iso.datetime(),
})
export type Quote = z.output<typeof quote>
export const planChange = z.object({ planId, quoteId: z.optional(quoteId) })
export const subscriptionCancel = z.object({ reason: z.optional(textUpTo(500)) })

/** An event in the history of a member's subscriptions. */
const subscriptionEvent = z.object({
  at: z.iso.datetime(),
  type: z.enum([
    'STARTED',
    'TRIAL_STARTED',
    'CHARGED',
    'CHARGE_FAILED',
    'RENEWED',
    'OVERDUE',
    'RECOVERED',
    'UPGRADED',
    'DOWNGRADE_SET',
    'DOWNGRADE_UNDONE',
    'DOWNGRADED',
    'CANCEL_SET',
    'CANCEL_UNDONE',
    'PLAN_CHANGED',
    'PAUSED',
    'RESUMED',
    'CARD_CHANGED',
    'REFUNDED',
    'ENDED',
  ]),
  planName: z.string(),
  amount: z.nullable(money),
  /** The provider's code of a failed charge, the reason of an end, or when a pause ends. */
  detail: z.nullable(z.string()),
  languages: textLanguages,
})
export const subscriptionHistory = pageOf(subscriptionEvent)
export type SubscriptionEvent = z.output<typeof subscriptionEvent>

/** Why a subscription ended: the detail of the event ENDED. */
export type EndReason = 'CANCELLED' | 'UNPAID' | 'FIRST_CHARGE_FAILED' | 'REFUNDED' | 'WITHDRAWN' | 'REPLACED'
