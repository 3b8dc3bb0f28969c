import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

interface CheckoutProblem {
  message: MessageDescriptor
  /** What was shown is no longer true: load it again, and make another attempt of the next press. */
  startsAnew: boolean
}

const pricesChanged: CheckoutProblem = {
  message: msg`A price has changed while you were here. Nothing was charged. Look at the new total before you pay.`,
  startsAnew: true,
}
const cartChanged: CheckoutProblem = {
  message: msg`Your cart was changed elsewhere. Nothing was charged. This is how it stands now.`,
  startsAnew: true,
}
const unreachable: CheckoutProblem = {
  message: msg`The payment service cannot be reached. Nothing was charged. Try again in a moment.`,
  startsAnew: false,
}

/** Why paying did not begin, by the code of the refusal. */
const problems: Readonly<Record<string, CheckoutProblem>> = {
  PRICE_CHANGED: pricesChanged,
  CART_CHANGED: cartChanged,
  NOT_FOUND: cartChanged,
  IDEMPOTENCY_KEY_REUSED: cartChanged,
  ALREADY_OWNED: {
    message: msg`You own one of these already, so it was taken out. Nothing was charged.`,
    startsAnew: true,
  },
  GONE: {
    message: msg`One of these is no longer for sale, so it was taken out. Nothing was charged.`,
    startsAnew: true,
  },
  ORDER_NOT_PAYABLE: {
    message: msg`This order is closed already. Look at your orders, or press the button to begin a new one.`,
    startsAnew: true,
  },
  DEPOSIT_OPEN: {
    message: msg`Another order for the same title waits for your deposit. Pay or cancel that one first.`,
    startsAnew: true,
  },
  IDEMPOTENCY_IN_FLIGHT: {
    message: msg`Your payment is on its way already. Wait a moment before you press again.`,
    startsAnew: false,
  },
  PAYMENT_DISABLED: { message: msg`This store takes no payments at the moment.`, startsAnew: false },
  VALIDATION_FAILED: {
    message: msg`The terms have changed while you were here. Read them again before you pay.`,
    startsAnew: true,
  },
  PROVIDER_UNAVAILABLE: unreachable,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
  CONSENT_MISSING: { message: msg`Please agree to the terms before you pay.`, startsAnew: false },
}

const otherwise: CheckoutProblem = {
  message: msg`The payment could not begin. Nothing was charged. Try again in a moment.`,
  startsAnew: false,
}

export const checkoutProblem = (code: string): CheckoutProblem => problems[code] ?? otherwise
