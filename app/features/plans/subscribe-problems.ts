import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

interface SubscribeProblem {
  message: MessageDescriptor
  /** What was shown is no longer true: load it again, and make another attempt of the next press. */
  startsAnew: boolean
}

const unreachable: SubscribeProblem = {
  message: msg`We can’t reach the payment service. You haven’t been charged. Try again in a moment.`,
  startsAnew: false,
}

/** Why subscribing, or a change of what is subscribed to, did not happen, by the code of the refusal. */
const problems: Readonly<Record<string, SubscribeProblem>> = {
  PRICE_CHANGED: {
    message: msg`The price has changed while you were here. Nothing was charged. Look at the new price before you agree.`,
    startsAnew: true,
  },
  PLAN_NOT_ON_SALE: { message: msg`This plan is no longer offered. Nothing was charged.`, startsAnew: true },
  SUBSCRIBED_ALREADY: {
    message: msg`You have a subscription already. Nothing was charged. You can change it under “Your subscription”.`,
    startsAnew: true,
  },
  SUBSCRIBE_DISABLED: { message: msg`This store offers no plans at the moment.`, startsAnew: false },
  QUOTE_EXPIRED: {
    message: msg`The price no longer holds. Nothing was charged. This is the price of now.`,
    startsAnew: true,
  },
  CARD_REFUSED: {
    message: msg`Your bank declined the card. Nothing was charged. Another card may work.`,
    startsAnew: true,
  },
  CARD_NEEDED: { message: msg`A card is needed first. Register one under “Your cards”.`, startsAnew: true },
  NOT_FOUND: { message: msg`This is not there any more. Nothing was charged.`, startsAnew: true },
  CONFLICT: { message: msg`Your subscription has changed meanwhile. This is how it stands now.`, startsAnew: true },
  IDEMPOTENCY_KEY_REUSED: {
    message: msg`Your choice has changed. Nothing was charged. Press the button again.`,
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
  CONSENT_MISSING: { message: msg`Please agree to the regular charge before you go on.`, startsAnew: false },
  PROVIDER_UNAVAILABLE: unreachable,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
}

const otherwise: SubscribeProblem = {
  message: msg`This did not work. Nothing was charged. Try again in a moment.`,
  startsAnew: false,
}

export const subscribeProblem = (code: string): SubscribeProblem => problems[code] ?? otherwise
