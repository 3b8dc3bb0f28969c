import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { closedStoreRouteOptions } from '~/platform/navigation/guards'
import { ClosedStore } from '~/site/message-page'

export const Route = createFileRoute('/customer/coming-soon')({
  ...closedStoreRouteOptions,
  component: () => (
    <ClosedStore
      title={<Trans>Coming soon</Trans>}
      text={<Trans>We’re getting ready to open. Please check back soon.</Trans>}
    />
  ),
})
