import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { EndReason, Subscription, SubscriptionAnswer, SubscriptionEvent } from '#contract/subscriptions.ts'
import { refusalMessages } from '~/platform/api/failures'
import type { SubscriptionSearch } from './plans.search'

interface StatusLabel {
  label: MessageDescriptor
  tone: 'success' | 'warning' | 'danger' | 'info' | 'neutral'
}

export function statusLabel(subscription: Subscription): StatusLabel {
  if (subscription.overdue) return { label: msg`Past due`, tone: 'danger' }
  if (subscription.status === 'PENDING') return { label: msg`Awaiting first payment`, tone: 'warning' }
  if (subscription.cancelAt) return { label: msg`Ending soon`, tone: 'warning' }
  if (subscription.paused) return { label: msg`Paused`, tone: 'warning' }
  return inTrial(subscription) ? { label: msg`Free trial`, tone: 'info' } : { label: msg`Active`, tone: 'success' }
}

/** Whether the current period is the trial. */
export const inTrial = ({ trialEndsAt, periodEnd }: Subscription): boolean =>
  trialEndsAt !== null && periodEnd !== null && trialEndsAt === periodEnd

/** Labels of the events in the billing history. */
export const eventLabels = {
  STARTED: msg`Subscription started`,
  TRIAL_STARTED: msg`Free trial started`,
  CHARGED: msg`Payment complete`,
  CHARGE_FAILED: msg`Payment failed`,
  RENEWED: msg`Renewed`,
  OVERDUE: msg`Payment past due`,
  RECOVERED: msg`Overdue payment received`,
  UPGRADED: msg`Upgraded`,
  DOWNGRADE_SET: msg`Plan change scheduled`,
  DOWNGRADE_UNDONE: msg`Scheduled plan change canceled`,
  DOWNGRADED: msg`Plan changed at renewal`,
  CANCEL_SET: msg`Cancellation scheduled`,
  CANCEL_UNDONE: msg`Cancellation undone`,
  PLAN_CHANGED: msg`Plan changed`,
  PAUSED: msg({ message: 'Paused', context: 'event' }),
  RESUMED: msg({ message: 'Resumed', context: 'event' }),
  CARD_CHANGED: msg`Payment card changed`,
  REFUNDED: msg`Refunded`,
  ENDED: msg`Ended`,
} as const satisfies Record<SubscriptionEvent['type'], MessageDescriptor>

/** Messages for the end of a subscription. */
const endLabels: Readonly<Record<EndReason, MessageDescriptor>> = {
  CANCELLED: msg`You canceled it.`,
  UNPAID: msg`It wasn’t paid in time.`,
  FIRST_CHARGE_FAILED: msg`The first payment didn’t go through.`,
  REFUNDED: msg`It was refunded.`,
  WITHDRAWN: msg`The account was deleted.`,
  REPLACED: msg`You switched to another plan.`,
}

/** Returns the message of an end, whose reason is the detail of an event. */
export const endReason = (detail: string): MessageDescriptor | undefined =>
  Object.entries(endLabels).find(([reason]) => reason === detail)?.[1]

/** A change of a subscription that has just been made. */
export type ChangeOutcome = NonNullable<SubscriptionSearch['done']>

/** Which plan change it was: an upgrade by quote, a downgrade at renewal, or the undoing of one. */
export function outcomeOfChange({ regular }: SubscriptionAnswer, byQuote: boolean): ChangeOutcome {
  if (regular?.nextPlan) return 'downgrade'
  return byQuote ? 'upgraded' : 'unchanged'
}

/** An overdue plan, or a paused one without access, ends as soon as it is cancelled. */
export const outcomeOfCancellation = ({ regular }: SubscriptionAnswer): ChangeOutcome =>
  regular ? 'cancelled' : 'ended'

export const outcomeMessages: Readonly<Record<ChangeOutcome, MessageDescriptor>> = {
  cancelled: msg`Your plan won’t renew. You can undo this until it ends.`,
  ended: msg`Your plan has ended. You won’t be charged again.`,
  resumed: msg`Your plan will keep renewing as before.`,
  upgraded: msg`Your new plan is now active.`,
  downgrade: msg`Your plan will change at the next renewal. Nothing changes until then.`,
  unchanged: msg`You’re keeping your current plan.`,
  unpaused: msg`Your plan is active again.`,
  recovered: msg`Payment complete. Your plan continues.`,
}

/** The message of a refused subscription or plan change, by problem code. */
export const subscribeProblem = refusalMessages({
  byCode: {
    PRICE_CHANGED: msg`The price or the free trial has changed. You haven’t been charged. Review the new terms before you agree.`,
    PLAN_NOT_ON_SALE: msg`This plan is no longer available. You haven’t been charged.`,
    SUBSCRIBED_ALREADY: msg`You already have a subscription. You haven’t been charged. You can change it under Subscription.`,
    SUBSCRIBE_DISABLED: msg`This store doesn’t offer plans right now.`,
    QUOTE_EXPIRED: msg`The price has changed. You haven’t been charged. The new price is shown here.`,
    CARD_REFUSED: msg`Your bank declined the card. You haven’t been charged. Try another card.`,
    CARD_NEEDED: msg`Add a card under Payment methods first.`,
    NOT_FOUND: msg`This is no longer available. You haven’t been charged.`,
    CONFLICT: msg`Your subscription was updated elsewhere. This is the latest version.`,
    IDEMPOTENCY_KEY_REUSED: msg`Your selection changed. You haven’t been charged. Select the button again.`,
    CONSENT_MISSING: msg`Agree to the recurring charge to continue.`,
  },
  unreachable: msg`We can’t reach the payment service. You haven’t been charged. Try again in a moment.`,
  otherwise: msg`Something went wrong. You haven’t been charged. Try again in a moment.`,
})

const outdatedCodes: readonly string[] = [
  'PRICE_CHANGED',
  'PLAN_NOT_ON_SALE',
  'SUBSCRIBED_ALREADY',
  'QUOTE_EXPIRED',
  'CARD_REFUSED',
  'CARD_NEEDED',
  'NOT_FOUND',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
]

/** Whether the shown price or plan is out of date: load it again and use a new idempotency key. */
export const isOutdated = (code: string): boolean => outdatedCodes.includes(code)
