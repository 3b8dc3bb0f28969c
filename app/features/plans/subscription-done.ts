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
  cancelled: msg`Your plan won’t renew. You can undo this until it ends.`,
  resumed: msg`Your plan will keep renewing as before.`,
  upgraded: msg`Your new plan is now active.`,
  downgrade: msg`Your plan will change at the next renewal. Nothing changes until then.`,
  kept: msg`You’re keeping your current plan.`,
  recovered: msg`Payment complete. Your plan continues.`,
}
