import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { closedStoreRouteOptions } from '~/platform/navigation/guards'
import { ClosedStore } from '~/site/message-page'

export const Route = createFileRoute('/customer/site-disabled')({
  ...closedStoreRouteOptions,
  component: () => (
    <ClosedStore
      title={<Trans>We’ll be back soon</Trans>}
      text={<Trans>This store is temporarily closed. Your purchases and account are safe.</Trans>}
    />
  ),
})
