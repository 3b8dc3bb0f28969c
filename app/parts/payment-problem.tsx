import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Notice } from '~/ui/notice'
import styles from './payment-problem.module.css'

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
