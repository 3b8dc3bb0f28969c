import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSignedOut } from '~/platform/api/problem'
import { Notice } from '~/ui/notice'
import styles from './refusal.module.css'

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

interface RefusalProps {
  /** The code of the problem. */
  code: string
  /** What the form says of the code while its member is signed in. */
  message: MessageDescriptor
}

/** Why a member's form was refused. */
export function Refusal({ code, message }: RefusalProps): ReactNode {
  const { i18n } = useLingui()
  return isSignedOut(code) ? <SignInAgain /> : i18n._(message)
}

/** Says that the session has ended, with a link to sign in and return. */
export function SignInAgain() {
  const here = useLocation({ select: ({ href }) => href })
  return (
    <Trans>
      You’re signed out.{' '}
      <Link to="/login" search={{ redirect: here }}>
        Sign in to continue.
      </Link>
    </Trans>
  )
}

interface PaymentProblemProps extends RefusalProps {
  /** A link to what the refusal is about. */
  link?: ReactNode
  className?: string | undefined
}

/** Why a payment or a card was refused, with a link to what the member can do about it. */
export function PaymentProblem({ code, message, link, className }: PaymentProblemProps) {
  const profile = code === 'BUYER_DETAILS_MISSING' && (
    <Link to="/mypages/profile">
      <Trans>Edit profile</Trans>
    </Link>
  )
  return (
    <Notice tone="danger" urgent className={className}>
      <span className={styles.text}>
        <Refusal code={code} message={message} /> {profile || link}
      </span>
    </Notice>
  )
}
