import { msg } from '@lingui/core/macro'
import { refusalMessages } from '~/platform/api/failures'

/** The message of a refused subscription or plan change, by problem code. */
export const subscribeProblem = refusalMessages({
  byCode: {
    PRICE_CHANGED: msg`The price changed. You haven’t been charged. Review the new price before you agree.`,
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
