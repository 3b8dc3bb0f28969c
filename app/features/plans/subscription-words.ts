import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Subscription, SubscriptionEvent } from '#contract/plans.ts'

interface StatusWords {
  label: MessageDescriptor
  tone: 'success' | 'warning' | 'danger' | 'info' | 'neutral'
}

/** The word for where a subscription stands. */
export function standingWords(subscription: Subscription): StatusWords {
  if (subscription.overdue) return { label: msg`Overdue`, tone: 'danger' }
  if (subscription.status === 'PENDING') return { label: msg`Waiting for the first payment`, tone: 'warning' }
  if (subscription.cancelAt) return { label: msg`Ends soon`, tone: 'warning' }
  return inTrial(subscription) ? { label: msg`Trial`, tone: 'info' } : { label: msg`Active`, tone: 'success' }
}

/** The period it is in is the trial. */
export const inTrial = ({ trialEndsAt, periodEnd }: Subscription): boolean =>
  trialEndsAt !== null && periodEnd !== null && trialEndsAt === periodEnd

/** What happened, as the history says it. */
export const eventWords = {
  STARTED: msg`Subscription begun`,
  TRIAL_STARTED: msg`Trial begun`,
  CHARGED: msg`Charged`,
  CHARGE_FAILED: msg`The charge failed`,
  RENEWED: msg`Renewed`,
  OVERDUE: msg`Payment overdue`,
  RECOVERED: msg`Paid after all`,
  UPGRADED: msg`Upgraded`,
  DOWNGRADE_SET: msg`Change at the next renewal set`,
  DOWNGRADE_UNDONE: msg`Change at the next renewal taken back`,
  DOWNGRADED: msg`Changed at the renewal`,
  CANCEL_SET: msg`Cancelled for the end of the period`,
  CANCEL_UNDONE: msg`Cancelling taken back`,
  CARD_CHANGED: msg`Another card pays`,
  REFUNDED: msg`Refunded`,
  ENDED: msg`Ended`,
} as const satisfies Record<SubscriptionEvent['type'], MessageDescriptor>

/** Why a subscription ended, by its reason. */
const endWords: Readonly<Record<string, MessageDescriptor>> = {
  CANCELLED: msg`You had cancelled it.`,
  UNPAID: msg`It was not paid in time.`,
  FIRST_CHARGE_FAILED: msg`The first payment did not go through.`,
  REFUNDED: msg`It was refunded.`,
  WITHDRAWN: msg`The account was closed.`,
  REPLACED: msg`Another plan took its place.`,
}

export const endReason = (code: string): MessageDescriptor | undefined => endWords[code]
