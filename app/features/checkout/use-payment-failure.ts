import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'

/** Why a payment failed, by the provider's code. */
const words: Readonly<Record<string, MessageDescriptor>> = {
  CARD_DECLINED: msg`Your card was declined by its bank. Another card may work.`,
  DECLINED: msg`Your card was declined by its bank. Another card may work.`,
  CARD_EXPIRED: msg`This card has expired. Another card may work.`,
  INSUFFICIENT_FUNDS: msg`There is not enough money on this card. Another card may work.`,
  CHALLENGE_FAILED: msg`Your bank could not confirm that it was you.`,
  ABANDONED: msg`The payment was not finished in time.`,
  EXPIRED: msg`The payment was not finished in time.`,
  DEPOSIT_EXPIRED: msg`The money did not arrive before the deadline.`,
  CANCELLED_BY_BUYER: msg`You turned back before paying.`,
  SUPERSEDED: msg`You began another payment for the same title meanwhile.`,
  ALREADY_OWNED: msg`You own one of these already, so nothing was charged.`,
}

/** The reason in words; an unknown code is said in general. */
export function usePaymentFailure(): (code: string | null) => string {
  const { i18n } = useLingui()
  return (code) => i18n._(words[code ?? ''] ?? msg`The payment did not go through.`)
}
