import { useLingui } from '@lingui/react/macro'
import type { ReactElement, ReactNode } from 'react'
import { problemOf } from '~/platform/api/problem'
import { Button } from '~/ui/button'
import { ErrorState } from '~/ui/empty-state'

interface Props {
  error: Error
  onRetry: () => void
  pending: boolean
  /** Where one finds what was paid: a link, and its words. */
  onward: { link: ReactElement; words: ReactNode }
  children: ReactNode
}

/** What stands on the page when the store cannot say now whether it was paid. */
export function PaymentNotConfirmed({ error, onRetry, pending, onward, children }: Props) {
  const { t } = useLingui()
  return (
    <ErrorState
      headingLevel="h1"
      title={t`We can’t check your payment right now.`}
      retry={{ label: t`Check again`, onRetry, pending }}
      actions={
        <Button variant="ghost" render={onward.link}>
          {onward.words}
        </Button>
      }
      detail={problemOf(error)?.requestId}
    >
      {children}
    </ErrorState>
  )
}
