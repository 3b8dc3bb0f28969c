import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { closedStoreRouteOptions } from '~/platform/navigation/guards'
import { ClosedStore } from '~/site/message-page'

export const Route = createFileRoute('/customer/contract-expired')({
  ...closedStoreRouteOptions,
  component: () => (
    <ClosedStore
      title={<Trans>This store isn’t available</Trans>}
      text={<Trans>This store has closed. If you bought something here, contact the company that ran it.</Trans>}
    />
  ),
})
