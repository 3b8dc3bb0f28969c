import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { problemOf } from '~/platform/api/problem'
import { Button } from '~/ui/button'
import { ErrorState } from '~/ui/empty-state'
import { Outcome } from '~/ui/notice'
import styles from './payment-result.module.css'

/** Shown until the provider confirms the payment. Without JavaScript a link reloads the page. */
export function PaymentConfirming() {
  const { href } = useLocation()
  return (
    <Outcome
      mark="waiting"
      title={<Trans>Confirming your payment…</Trans>}
      note={
        <noscript>
          <a className={styles.link} href={href}>
            <Trans>Check again</Trans>
          </a>
        </noscript>
      }
    >
      <Trans>This takes a few seconds. Keep this page open.</Trans>
    </Outcome>
  )
}

/** The page of a payment's result while it loads. */
export function PaymentPending() {
  return (
    <div className={styles.page} aria-busy>
      <PaymentConfirming />
    </div>
  )
}

interface PaymentNotConfirmedProps {
  error: Error
  onRetry: () => void
  pending: boolean
  /** The link to the orders or the subscription. */
  next: { link: ReactElement; label: ReactNode }
  children: ReactNode
}

/** Shown where the store cannot confirm the payment now. */
export function PaymentNotConfirmed({ error, onRetry, pending, next, children }: PaymentNotConfirmedProps) {
  const { t } = useLingui()
  return (
    <ErrorState
      headingLevel="h1"
      title={t`We can’t check your payment right now.`}
      retry={{ label: t`Check again`, onRetry, pending }}
      actions={
        <Button variant="ghost" render={next.link}>
          {next.label}
        </Button>
      }
      detail={problemOf(error)?.requestId}
    >
      {children}
    </ErrorState>
  )
}
