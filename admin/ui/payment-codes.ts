import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** Why a payment is not used for its order. */
export const unappliedReasons = {
  LATE: msg`No order waited for it`,
  AMOUNT_MISMATCH: msg`Another amount than the order’s`,
  SURPLUS: msg`More than the order costs`,
} as const

/** Why a payment, a charge or a refund ended as it did. */
const codes: Readonly<Record<string, MessageDescriptor>> = {
  ...unappliedReasons,
  CARD_DECLINED: msg`The card was declined`,
  DECLINED: msg`The card was declined`,
  GENERIC_DECLINE: msg`The card was declined`,
  DO_NOT_HONOR: msg`The card was declined`,
  CARD_EXPIRED: msg`The card had expired`,
  EXPIRED_CARD: msg`The card had expired`,
  CARD_REMOVED: msg`The card was removed`,
  CARD_MISSING: msg`There was no card to charge`,
  INSUFFICIENT_FUNDS: msg`The card had insufficient funds`,
  CHALLENGE_FAILED: msg`The bank could not verify the member`,
  AUTHENTICATION_REQUIRED: msg`The bank asked the member to confirm the payment`,
  ABANDONED: msg`Not completed in time`,
  EXPIRED: msg`Not completed in time`,
  DEPOSIT_EXPIRED: msg`No transfer arrived before the deadline`,
  DEPOSIT_REVERSED: msg`The bank reversed the transfer`,
  CANCELLED_BY_BUYER: msg`Canceled by the member before paying`,
  CANCELLED_BY_MEMBER: msg`Canceled by the member before paying`,
  CANCELLED_BY_STORE: msg`Canceled by the store`,
  CLOSED_BY_STORE: msg`Closed by the store`,
  METHOD_CHANGED: msg`The member chose another way of payment`,
  SUPERSEDED: msg`Another payment took its place`,
  ALREADY_OWNED: msg`The member already owned a title`,
  WITHDRAWN: msg`The account was deleted`,
  UNDONE: msg`Marked as paid by mistake`,
  RULE: msg`By the refund rule`,
  ACCOUNT_REFUSED: msg`The bank refused the account`,
  ACCOUNT_MISSING: msg`The member has given no account`,
  BANK_UNKNOWN: msg`The provider does not know the bank`,
  CANCEL_FAILED: msg`The provider refused the refund`,
  PROVIDER_UNAVAILABLE: msg`The provider did not answer`,
}

/** Returns the text of a code of payments; one that only its provider knows as it is. */
export const usePaymentCode = (): ((code: string) => string) => {
  const { i18n } = useLingui()
  return (code) => {
    const text = codes[code]
    return text ? i18n._(text) : code
  }
}
