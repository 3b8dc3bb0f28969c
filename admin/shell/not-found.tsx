import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Page } from '../ui/page'

/** The page of an address that the console does not have. */
export function NotFound() {
  const { t } = useLingui()
  return (
    <Page title={t`Page not found`}>
      <EmptyState
        icon="search"
        title={<Trans>The console has no page at this address</Trans>}
        actions={
          <Button render={<Link to="/" />}>
            <Trans>Go to the first page</Trans>
          </Button>
        }
      />
    </Page>
  )
}
