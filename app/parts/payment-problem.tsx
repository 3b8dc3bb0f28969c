import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Notice } from '~/ui/notice'
import styles from './payment-problem.module.css'

/** Why a payment failed, by the provider's code. */
const messages: Readonly<Record<string, MessageDescriptor>> = {
  CARD_DECLINED: msg`Your card was declined. Try another card.`,
  DECLINED: msg`Your card was declined. Try another card.`,
  CARD_EXPIRED: msg`This card has expired. Try another card.`,
  INSUFFICIENT_FUNDS: msg`This card has insufficient funds. Try another card.`,
  CHALLENGE_FAILED: msg`Your bank couldn’t verify your identity.`,
  ABANDONED: msg`The payment wasn’t completed in time.`,
  EXPIRED: msg`The payment wasn’t completed in time.`,
  DEPOSIT_EXPIRED: msg`Your transfer didn’t arrive before the deadline.`,
  CANCELLED_BY_BUYER: msg`You canceled before paying.`,
  SUPERSEDED: msg`You started another payment for the same title.`,
  ALREADY_OWNED: msg`You already own one of these titles, so you haven’t been charged.`,
}

/** Returns the message of a failed payment, by the provider's code. */
export function usePaymentFailure(): (code: string | null) => string {
  const { i18n } = useLingui()
  return (code) => i18n._(messages[code ?? ''] ?? msg`Your payment didn’t go through.`)
}

interface PaymentProblemProps {
  code: string
  text: ReactNode
  /** A link to what the refusal is about. */
  link?: ReactNode
  className?: string | undefined
}

/** Why a payment or a card was refused, with a link to what the member can do about it. */
export function PaymentProblem({ code, text, link, className }: PaymentProblemProps) {
  const profile = code === 'BUYER_DETAILS_MISSING' && (
    <Link to="/mypages/profile">
      <Trans>Edit profile</Trans>
    </Link>
  )
  return (
    <Notice tone="danger" urgent className={className}>
      <span className={styles.text}>
        {text} {profile || link}
      </span>
    </Notice>
  )
}
