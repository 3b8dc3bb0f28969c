import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Everything but a surprise, and what a field is told, is told where the button is. */
export const toldHere = [0, 400, 403, 404, 409, 410, 429, 500, 502, 503, 504]

const unreachable = msg`The payment service cannot be reached. Nothing has changed. Try again in a moment.`

const problems: Readonly<Record<string, MessageDescriptor>> = {
  PRICE_CHANGED: msg`The amount has changed while you were here. Look at it again before you confirm.`,
  CANCEL_NOT_POSSIBLE: msg`This is no longer possible. The order stands here as it is now.`,
  ORDER_NOT_PAYABLE: msg`This order can no longer be paid. Another try is a new order.`,
  ALREADY_OWNED: msg`You own one of these already, so nothing was charged.`,
  DEPOSIT_OPEN: msg`Another order for the same title waits for your deposit. Pay or cancel that one first.`,
  PAYMENT_DISABLED: msg`This store takes no payments at the moment.`,
  VALIDATION_FAILED: msg`Some of what was sent cannot be taken. Look at it again.`,
  IDEMPOTENCY_IN_FLIGHT: msg`This is on its way already. Wait a moment before you press again.`,
  RATE_LIMITED: msg`That was too often. Wait a minute and try again.`,
  PROVIDER_UNAVAILABLE: unreachable,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
}

/** Why something was not done to an order, in words, by the code of the refusal. */
export const orderProblem = (code: string): MessageDescriptor =>
  problems[code] ?? msg`That did not work. Nothing has changed. Try again in a moment.`
