import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Everything but a surprise, and what a field is told, is told where the button is. */
export const toldHere = [0, 400, 403, 404, 409, 410, 429, 500, 502, 503, 504]

const unreachable = msg`We can’t reach the payment service. Nothing has changed. Try again in a moment.`

const problems: Readonly<Record<string, MessageDescriptor>> = {
  PRICE_CHANGED: msg`The amount has changed. Review it before you confirm.`,
  CANCEL_NOT_POSSIBLE: msg`This is no longer possible. The order’s current status is shown here.`,
  NOT_READY: msg`One of these titles isn’t available yet, so this order can’t be paid for.`,
  ORDER_NOT_PAYABLE: msg`This order can no longer be paid. To buy again, place a new order.`,
  ALREADY_OWNED: msg`You already own one of these titles, so you haven’t been charged.`,
  DEPOSIT_OPEN: msg`Another order for this title is awaiting your transfer. Pay for or cancel that order first.`,
  PAYMENT_DISABLED: msg`This store isn’t accepting payments right now.`,
  VALIDATION_FAILED: msg`Some of the details aren’t valid. Check them and try again.`,
  IDEMPOTENCY_IN_FLIGHT: msg`Your request is already being processed. Wait a moment.`,
  RATE_LIMITED: msg`Too many requests. Wait a minute and try again.`,
  PROVIDER_UNAVAILABLE: unreachable,
  UNREACHABLE: unreachable,
  TIMEOUT: unreachable,
}

/** Why something was not done to an order, in words, by the code of the refusal. */
export const orderProblem = (code: string): MessageDescriptor =>
  problems[code] ?? msg`Something went wrong. Nothing has changed. Try again in a moment.`
