import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Why a change of one's cards was refused, by the code of the refusal. */
const problems: Readonly<Record<string, MessageDescriptor>> = {
  CARD_NEEDED: msg`This card pays for your subscription. Replace it by another one, then it is gone.`,
  CONFLICT: msg`You have as many cards as can be kept here. Remove one first.`,
  NOT_FOUND: msg`This card is not there any more.`,
  CARD_REFUSED: msg`The bank did not accept this card. Another one may work.`,
  PROVIDER_UNAVAILABLE: msg`The payment service cannot be reached. Try again in a moment.`,
  UNREACHABLE: msg`The payment service cannot be reached. Try again in a moment.`,
  TIMEOUT: msg`The payment service cannot be reached. Try again in a moment.`,
  RATE_LIMITED: msg`There were too many attempts. Wait a few minutes, then try again.`,
  IDEMPOTENCY_IN_FLIGHT: msg`This is on its way already. Wait a moment.`,
}

export const cardProblem = (code: string): MessageDescriptor =>
  problems[code] ?? msg`Your cards could not be changed. Try again in a moment.`
