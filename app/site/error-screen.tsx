import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { isbotNaive } from 'isbot'
import { type ReactNode, useEffect } from 'react'
import { detailByStatus, serverErrorMessage, undefinedErrorMessage } from '~/platform/api/failures'
import { problemOf } from '~/platform/api/problem'
import { isChunkError, isReloading, reloadOnce } from '~/platform/builds'
import { labels } from '~/platform/labels'
import { log } from '~/platform/log'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { errorTitle, statusOf } from './document-head'
import styles from './error-layout.module.css'
import { Logo } from './logo'
import { MessagePage } from './message-page'

/**
 * A page with only the store's name, for closed stores and for errors, where header and footer may
 * not be available.
 */
export function ErrorLayout({ children }: { children: ReactNode }) {
  const settled = useQueryClient().getQueryData(siteSettingsQuery.queryKey) !== undefined
  return (
    <div className={styles.layout}>
      <header className={styles.header}>{settled && <Logo />}</header>
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </div>
  )
}

/**
 * The global error screen, for errors that nothing else has handled. A missing chunk of an old
 * build reloads the page once. The error is logged.
 */
export function ErrorScreen({ error }: ErrorComponentProps) {
  const { i18n } = useLingui()
  const router = useRouter()
  const { page, queryClient } = router.options.context
  const title = errorTitle(i18n, queryClient.getQueryData(siteSettingsQuery.queryKey), error)
  const problem = problemOf(error)
  const statusCode = statusOf(error)
  const requestId = problem?.requestId || page.requestId
  const crawler = page.crawler || (typeof document !== 'undefined' && isbotNaive(navigator.userAgent))

  useEffect(() => {
    if (isReloading() || (isChunkError(error) && reloadOnce(router.latestLocation.publicHref))) return
    log('error', 'A page could not be shown.', { error, requestId })
  }, [error, router, requestId])

  // A component that fails after its page was loaded leaves the page's title in the document.
  useEffect(() => {
    const before = document.title
    document.title = title
    return () => {
      if (document.title === title) document.title = before
    }
  }, [title])

  // While the data are unreachable, every page fails for the same reason, which the API logs.
  if (typeof document === 'undefined' && statusCode !== 503)
    log('error', 'A page could not be shown.', { error, requestId })
  if (crawler || isReloading()) return null
  const detail = detailByStatus[problem?.status ?? statusCode]
  const message = statusCode === 500 ? serverErrorMessage : undefinedErrorMessage
  return (
    <ErrorLayout>
      <MessagePage
        mark={statusCode}
        title={i18n._(message)}
        note={
          requestId && (
            <Trans>
              Request ID: <span dir="ltr">{requestId}</span>
            </Trans>
          )
        }
        actions={
          <>
            {/* A full page load, which discards the failed state. */}
            <Button variant="primary" size="l" render={<a href="/" />}>
              <Trans>Go to home page</Trans>
            </Button>
            <Button size="l" onClick={() => window.location.reload()}>
              {i18n._(labels.tryAgain)}
            </Button>
          </>
        }
      >
        <p>
          {detail ? (
            i18n._(detail)
          ) : (
            <Trans>Something went wrong on our side. Try again, or go to the home page.</Trans>
          )}
        </p>
      </MessagePage>
    </ErrorLayout>
  )
}
