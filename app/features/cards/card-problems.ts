import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Why a change of one's cards was refused, by the code of the refusal. */
const problems: Readonly<Record<string, MessageDescriptor>> = {
  CARD_NEEDED: msg`This card pays for your subscription. Replace it with another card to remove it.`,
  BUYER_DETAILS_MISSING: msg`Our payment provider needs your name and phone number. Add them to your profile, then try again.`,
  CONFLICT: msg`You’ve reached the maximum number of cards. Remove one first.`,
  NOT_FOUND: msg`This card has already been removed.`,
  CARD_REFUSED: msg`Your bank declined this card. Try another card.`,
  PROVIDER_UNAVAILABLE: msg`We can’t reach the payment service. Try again in a moment.`,
  UNREACHABLE: msg`We can’t reach the payment service. Try again in a moment.`,
  TIMEOUT: msg`We can’t reach the payment service. Try again in a moment.`,
  RATE_LIMITED: msg`Too many attempts. Wait a few minutes and try again.`,
  IDEMPOTENCY_IN_FLIGHT: msg`Your request is already being processed. Wait a moment.`,
}

export const cardProblem = (code: string): MessageDescriptor =>
  problems[code] ?? msg`We couldn’t update your payment methods. Try again in a moment.`
