import { Trans, useLingui } from '@lingui/react/macro'
import { ErrorState } from '~/ui/empty-state'
import { Page } from '../ui/page'

/** In place of a page whose code could not be loaded, or that failed. The menu stays. */
export function PageFailed() {
  const { t } = useLingui()
  return (
    <Page title={t`This page could not be opened`}>
      <ErrorState
        title={<Trans>The console could not show this page</Trans>}
        retry={{ label: t`Reload the page`, onRetry: () => location.reload() }}
      >
        <Trans>Check your connection, then reload the page.</Trans>
      </ErrorState>
    </Page>
  )
}
