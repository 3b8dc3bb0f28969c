import { Trans } from '@lingui/react/macro'
import { createFileRoute } from '@tanstack/react-router'
import { closedStoreRoute } from '~/platform/tenant/closed-store'
import { ClosedStore } from '~/site/closed-store'

export const Route = createFileRoute('/customer/site-disabled')({
  ...closedStoreRoute,
  component: () => (
    <ClosedStore
      title={<Trans>We will be back soon</Trans>}
      text={<Trans>This store is closed for the moment. Your purchases and your account are safe.</Trans>}
    />
  ),
})
