import { useLingui } from '@lingui/react/macro'
import type { ReactElement, ReactNode } from 'react'
import { problemOf } from '~/platform/api/problem'
import { Button } from '~/ui/button'
import { ErrorState } from '~/ui/empty-state'

interface Props {
  error: Error
  onRetry: () => void
  pending: boolean
  /** The link to the orders or the subscription. */
  next: { link: ReactElement; label: ReactNode }
  children: ReactNode
}

/** Shown where the store cannot confirm the payment now. */
export function PaymentNotConfirmed({ error, onRetry, pending, next, children }: Props) {
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
