import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { closedStoreRoute } from '~/platform/tenant/closed-store'
import { ClosedStore } from '~/site/closed-store'

export const Route = createFileRoute('/customer/contract-expired')({
  ...closedStoreRoute,
  component: () => (
    <ClosedStore
      title={<Trans>This store is not available</Trans>}
      text={
        <Trans>
          Its contract has ended. If you bought something here, the company that ran the store can help you.
        </Trans>
      }
    />
  ),
})
