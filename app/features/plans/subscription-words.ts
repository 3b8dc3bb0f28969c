import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Subscription, SubscriptionEvent } from '#contract/plans.ts'

interface StatusWords {
  label: MessageDescriptor
  tone: 'success' | 'warning' | 'danger' | 'info' | 'neutral'
}

/** The word for where a subscription stands. */
export function standingWords(subscription: Subscription): StatusWords {
  if (subscription.overdue) return { label: msg`Past due`, tone: 'danger' }
  if (subscription.status === 'PENDING') return { label: msg`Awaiting first payment`, tone: 'warning' }
  if (subscription.cancelAt) return { label: msg`Ending soon`, tone: 'warning' }
  return inTrial(subscription) ? { label: msg`Free trial`, tone: 'info' } : { label: msg`Active`, tone: 'success' }
}

/** The period it is in is the trial. */
export const inTrial = ({ trialEndsAt, periodEnd }: Subscription): boolean =>
  trialEndsAt !== null && periodEnd !== null && trialEndsAt === periodEnd

/** What happened, as the history says it. */
export const eventWords = {
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
  CARD_CHANGED: msg`Payment card changed`,
  REFUNDED: msg`Refunded`,
  ENDED: msg`Ended`,
} as const satisfies Record<SubscriptionEvent['type'], MessageDescriptor>

/** Why a subscription ended, by its reason. */
const endWords: Readonly<Record<string, MessageDescriptor>> = {
  CANCELLED: msg`You canceled it.`,
  UNPAID: msg`It wasn’t paid in time.`,
  FIRST_CHARGE_FAILED: msg`The first payment didn’t go through.`,
  REFUNDED: msg`It was refunded.`,
  WITHDRAWN: msg`The account was deleted.`,
  REPLACED: msg`You switched to another plan.`,
}

export const endReason = (code: string): MessageDescriptor | undefined => endWords[code]
