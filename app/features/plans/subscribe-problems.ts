import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

interface SubscribeProblem {
  message: MessageDescriptor
  /** The displayed price or plan is out of date: load it again and use a new idempotency key. */
  startsAnew: boolean
}

const unreachable: SubscribeProblem = {
  message: msg`We can’t reach the payment service. You haven’t been charged. Try again in a moment.`,
  startsAnew: false,
}

/** Messages for a refused subscription or plan change, by problem code. */
const problems: Readonly<Record<string, SubscribeProblem>> = {
  PRICE_CHANGED: {
    message: msg`The price changed. You haven’t been charged. Review the new price before you agree.`,
    startsAnew: true,
  },
  PLAN_NOT_ON_SALE: { message: msg`This plan is no longer available. You haven’t been charged.`, startsAnew: true },
  SUBSCRIBED_ALREADY: {
    message: msg`You already have a subscription. You haven’t been charged. You can change it under Subscription.`,
    startsAnew: true,
  },
  SUBSCRIBE_DISABLED: { message: msg`This store doesn’t offer plans right now.`, startsAnew: false },
  QUOTE_EXPIRED: {
    message: msg`The price has changed. You haven’t been charged. The new price is shown here.`,
    startsAnew: true,
  },
  CARD_REFUSED: {
    message: msg`Your bank declined the card. You haven’t been charged. Try another card.`,
    startsAnew: true,
  },
  BUYER_DETAILS_MISSING: {
    message: msg`Our payment provider needs your name and phone number. Add them to your profile, then try again.`,
    startsAnew: false,
  },
  CARD_NEEDED: { message: msg`Add a card under Payment methods first.`, startsAnew: true },
  NOT_FOUND: { message: msg`This is no longer available. You haven’t been charged.`, startsAnew: true },
  CONFLICT: { message: msg`Your subscription was updated elsewhere. This is the latest version.`, startsAnew: true },
  IDEMPOTENCY_KEY_REUSED: {
    message: msg`Your selection changed. You haven’t been charged. Select the button again.`,
    startsAnew: true,
  },
  IDEMPOTENCY_IN_FLIGHT: {
    message: msg`Your request is already being processed. Wait a moment.`,
    startsAnew: false,
  },
  RATE_LIMITED: {
    message: msg`Too many attempts. Wait a few minutes and try again.`,
    startsAnew: false,
  },
  CONSENT_MISSING: { message: msg`Agree to the recurring charge to continue.`, startsAnew: false },
  PROVIDER_UNAVAILABLE: unreachable,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
}

const unknownProblem: SubscribeProblem = {
  message: msg`Something went wrong. You haven’t been charged. Try again in a moment.`,
  startsAnew: false,
}

export const subscribeProblem = (code: string): SubscribeProblem => problems[code] ?? unknownProblem
