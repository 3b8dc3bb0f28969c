import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

interface CheckoutProblem {
  message: MessageDescriptor
  /** What was shown is no longer true: load it again, and make another attempt of the next press. */
  startsAnew: boolean
}

const pricesChanged: CheckoutProblem = {
  message: msg`A price changed while you were checking out. You haven’t been charged. Review the new total before you pay.`,
  startsAnew: true,
}
const cartChanged: CheckoutProblem = {
  message: msg`Your cart was updated elsewhere. You haven’t been charged. This is the latest version.`,
  startsAnew: true,
}
const unreachable: CheckoutProblem = {
  message: msg`We can’t reach the payment service. You haven’t been charged. Try again in a moment.`,
  startsAnew: false,
}

/** Why paying did not begin, by the code of the refusal. */
const problems: Readonly<Record<string, CheckoutProblem>> = {
  PRICE_CHANGED: pricesChanged,
  CART_CHANGED: cartChanged,
  NOT_FOUND: cartChanged,
  IDEMPOTENCY_KEY_REUSED: cartChanged,
  ALREADY_OWNED: {
    message: msg`You already own one of these titles, so it was removed. You haven’t been charged.`,
    startsAnew: true,
  },
  GONE: {
    message: msg`A title is no longer available and was removed. You haven’t been charged.`,
    startsAnew: true,
  },
  NOT_READY: {
    message: msg`One of these titles isn’t available yet, so it was left out. You haven’t been charged.`,
    startsAnew: true,
  },
  ORDER_NOT_PAYABLE: {
    message: msg`This order is already closed. Check your orders, or select the button to place a new one.`,
    startsAnew: true,
  },
  BUYER_DETAILS_MISSING: {
    message: msg`Our payment provider needs your name and phone number. Add them to your profile, then try again.`,
    startsAnew: false,
  },
  DEPOSIT_OPEN: {
    message: msg`Another order for this title is awaiting your transfer. Pay for or cancel that order first.`,
    startsAnew: true,
  },
  IDEMPOTENCY_IN_FLIGHT: {
    message: msg`Your payment is already being processed. Wait a moment.`,
    startsAnew: false,
  },
  PAYMENT_DISABLED: { message: msg`This store isn’t accepting payments right now.`, startsAnew: false },
  VALIDATION_FAILED: {
    message: msg`The terms have changed. Review them before you pay.`,
    startsAnew: true,
  },
  PROVIDER_UNAVAILABLE: unreachable,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
  CONSENT_MISSING: { message: msg`Agree to the terms to continue.`, startsAnew: false },
}

const otherwise: CheckoutProblem = {
  message: msg`We couldn’t start the payment. You haven’t been charged. Try again in a moment.`,
  startsAnew: false,
}

export const checkoutProblem = (code: string): CheckoutProblem => problems[code] ?? otherwise
