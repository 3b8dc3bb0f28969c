import { useLingui } from '@lingui/react/macro'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Page } from '../ui/page'
import { Failed } from '../ui/states'

/** In place of a page whose code could not be loaded, or that failed. The menu stays. */
export function PageFailed({ error }: ErrorComponentProps) {
  const { t } = useLingui()
  return (
    <Page title={t`Error`}>
      <Failed error={error} onRetry={() => location.reload()} />
    </Page>
  )
}
