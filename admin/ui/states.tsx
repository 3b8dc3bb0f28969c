import { Trans, useLingui } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Spinner } from '~/ui/button'
import { EmptyState, ErrorState } from '~/ui/empty-state'
import { failureOf, failureText } from '../platform/failure'
import styles from './page.module.css'

/** Milliseconds until the words say that the answer is late. */
const slowAfter = 4_000

/** In place of what loads. Says so in words, and that it takes long where it does. */
export function Loading() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfter)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.loading} role="status">
      <Spinner size="l" />
      <p className={styles.loadingText}>
        {isSlow ? <Trans>The store answers slowly. Still loading…</Trans> : <Trans>Loading…</Trans>}
      </p>
    </div>
  )
}

interface FailedProps {
  error: unknown
  onRetry: () => void
  headingLevel?: 'h1' | 'h2'
}

/** What is shown in place of something that could not be loaded. */
export function Failed({ error, onRetry, headingLevel = 'h2' }: FailedProps) {
  const { t, i18n } = useLingui()
  const failure = failureOf(error)
  if (failure.status === 404 || failure.status === 400)
    return (
      <EmptyState icon="search" headingLevel={headingLevel} title={<Trans>Not found</Trans>}>
        <Trans>It may have been removed, or the address is wrong.</Trans>
      </EmptyState>
    )
  const retry = failure.status === 403 ? {} : { retry: { label: t`Try again`, onRetry } }
  return (
    <ErrorState
      headingLevel={headingLevel}
      title={
        failure.status === 403 ? (
          <Trans>You don’t have access to this page</Trans>
        ) : (
          <Trans>This could not be loaded</Trans>
        )
      }
      {...retry}
    >
      {failureText(i18n, failure)}
    </ErrorState>
  )
}

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

/**
 * Shows what a query has loaded, that it loads, or why it could not. What it keeps while another
 * search or page loads is dimmed.
 */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined)
    return (
      <div aria-busy={query.isPlaceholderData || undefined} className={styles.loaded}>
        {children(query.data)}
      </div>
    )
  return query.isError ? <Failed error={query.error} onRetry={() => void query.refetch()} /> : <Loading />
}
