import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { EndReason, Subscription, SubscriptionAnswer, SubscriptionEvent } from '#contract/subscriptions.ts'
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

export const outcomeMessages: Readonly<Record<ChangeOutcome, MessageDescriptor>> = {
  cancelled: msg`Your plan won’t renew. You can undo this until it ends.`,
  resumed: msg`Your plan will keep renewing as before.`,
  upgraded: msg`Your new plan is now active.`,
  downgrade: msg`Your plan will change at the next renewal. Nothing changes until then.`,
  unchanged: msg`You’re keeping your current plan.`,
  unpaused: msg`Your plan is active again.`,
  recovered: msg`Payment complete. Your plan continues.`,
}
