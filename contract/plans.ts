import * as z from 'zod/mini'
import { card } from './cards.ts'
import { planCycle, subscriptionStatus } from './enumerations.ts'
import { cardId, categoryId, planId, quoteId, subscriptionId } from './ids.ts'
import { money } from './money.ts'
import { returnUrl } from './orders.ts'
import { page, pageOf, size } from './paging.ts'
import { textLanguages } from './translations.ts'

export const plan = z.object({
  id: planId,
  code: z.string(),
  name: z.string(),
  summary: z.string(),
  benefits: z.array(z.string()),
  price: money,
  /** The viewer's agreed price, where it differs. */
  agreedPrice: z.nullable(money),
  cycle: planCycle,
  trialDays: z.int(),
  /** Whether this person would get the trial: it is given once. */
  trialAvailable: z.boolean(),
  scope: z.enum(['ALL', 'CATEGORIES', 'PRODUCTS']),
  categories: z.array(z.object({ id: categoryId, name: z.string(), languages: textLanguages })),
  productCount: z.int(),
  streams: z.int(),
  onSale: z.boolean(),
  recommended: z.boolean(),
  /** Begun now: when money would first be taken (after the trial, where there is one), and when again after that. */
  begun: z.object({ firstChargeAt: z.iso.datetime(), nextChargeAt: z.iso.datetime() }),
  /** The plan's relation to the viewer's own: none, the current or next one, above or below it. */
  standing: z.enum(['NONE', 'CURRENT', 'NEXT', 'UPGRADE', 'DOWNGRADE']),
  languages: textLanguages,
})
export type Plan = z.output<typeof plan>
export const planPath = z.object({ id: planId })
export const planProductsQuery = z.object({ page, size })

/** A subscription that stands, with everything that is going to happen to it and when. */
const subscription = z.object({
  id: subscriptionId,
  plan,
  status: subscriptionStatus,
  /** The price agreed to, which may differ from the plan's of today. */
  price: money,
  cycle: planCycle,
  startedAt: z.nullable(z.iso.datetime()),
  trialEndsAt: z.nullable(z.iso.datetime()),
  periodStart: z.nullable(z.iso.datetime()),
  periodEnd: z.nullable(z.iso.datetime()),
  /** Null when nothing more will be charged. */
  nextCharge: z.nullable(z.object({ at: z.iso.datetime(), amount: money })),
  cancelAt: z.nullable(z.iso.datetime()),
  /** A scheduled downgrade. */
  nextPlan: z.nullable(plan),
  /** Overdue: why, when it is tried again, and until when everything still plays. */
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

/** `regular` is paid for, `partnership` granted by the operator; a member may have both. */
export const subscriptionAnswer = z.object({
  regular: z.nullable(subscription),
  partnership: z.nullable(z.object({ name: z.nullable(z.string()), until: z.iso.datetime() })),
})
export type SubscriptionAnswer = z.output<typeof subscriptionAnswer>

/**
 * Begins a subscription. With `cardId` it is charged at once (or its trial begins); without, the browser goes to the provider's page to
 * register a card and comes back to `returnUrl` with `subscription`. `expectedPrice` is what the person saw: another answers 409 PRICE_CHANGED.
 */
export const subscribeBody = z.object({
  cardId: z.optional(cardId),
  returnUrl,
  expectedPrice: money,
  /** Consent, given beforehand, to be charged at each renewal and after the trial. */
  agreeRecurring: z.literal(true),
})
export const subscribeAnswer = z.object({ subscriptionId, redirectUrl: z.string() })
/** How a subscription begun stands: WAITING while the provider has not said. */
export const subscribeConfirmed = z.object({
  result: z.enum(['ACTIVE', 'WAITING', 'FAILED']),
  failure: z.nullable(z.string()),
  subscription: z.nullable(subscription),
})
export type SubscribeConfirmed = z.output<typeof subscribeConfirmed>

export const quoteBody = z.object({ planId })
/** A change of plan as it would be now. An UPGRADE happens at once for `charge`; a DOWNGRADE at `effectiveAt`, for nothing now. */
export const quote = z.object({
  id: z.nullable(quoteId),
  kind: z.enum(['UPGRADE', 'DOWNGRADE']),
  plan,
  /** What is left of the period already paid. */
  credit: money,
  charge: money,
  effectiveAt: z.iso.datetime(),
  nextCharge: z.object({ at: z.iso.datetime(), amount: money }),
  /** The upgrade's price holds until then. */
  expiresAt: z.nullable(z.iso.datetime()),
  /** What time it is at the store, so that the time left counts down right. */
  now: z.iso.datetime(),
})
export type Quote = z.output<typeof quote>
export const planChange = z.object({ planId, quoteId: z.optional(quoteId) })
export const subscriptionCancel = z.object({ reason: z.optional(z.string().check(z.trim(), z.maxLength(500))) })

/** One line of the history of a member's subscriptions. */
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
    'CARD_CHANGED',
    'REFUNDED',
    'ENDED',
  ]),
  planName: z.string(),
  amount: z.nullable(money),
  /** A code: of a failed charge the provider's, of an end its reason. */
  detail: z.nullable(z.string()),
  languages: textLanguages,
})
export const subscriptionHistory = pageOf(subscriptionEvent)
export type SubscriptionEvent = z.output<typeof subscriptionEvent>
