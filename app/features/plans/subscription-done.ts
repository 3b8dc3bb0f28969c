import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { SubscriptionAnswer } from '#contract/plans.ts'
import type { SubscriptionSearch } from './plans.search'

/** What was just done with a subscription. */
export type Done = NonNullable<SubscriptionSearch['done']>

/** Which change of plan it was: up by a quote, down at the renewal, or a change that was set taken back. */
export function doneByChange({ regular }: SubscriptionAnswer, byQuote: boolean): Done {
  if (regular?.nextPlan) return 'downgrade'
  return byQuote ? 'upgraded' : 'kept'
}

export const doneWords: Readonly<Record<Done, MessageDescriptor>> = {
  cancelled: msg`Your plan will not renew. Until it ends you can change your mind.`,
  resumed: msg`Your plan goes on as before.`,
  upgraded: msg`Your new plan is open to you now.`,
  downgrade: msg`Your plan changes with the next renewal. Until then nothing changes.`,
  kept: msg`You keep the plan you have.`,
  recovered: msg`The payment went through. Your plan goes on.`,
}
