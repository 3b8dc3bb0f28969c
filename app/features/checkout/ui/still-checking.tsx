import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { PaymentConfirming } from '~/parts/payment-confirming'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'

interface Props {
  order: Order
  /** The page no longer asks by itself. */
  stopped: boolean
  pending: boolean
  onAsk: () => void
}

/** The provider has not said yet whether it was paid. First it is asked again and again; then nobody is kept waiting. */
export function StillChecking({ order, stopped, pending, onAsk }: Props) {
  const format = useFormat()
  if (!stopped) return <PaymentConfirming />
  return (
    <EmptyState
      icon="clock"
      headingLevel="h1"
      title={<Trans>We’re still confirming your payment of {format.money(order.total)}.</Trans>}
      actions={
        <>
          <Button variant="primary" icon="retry" loading={pending} onClick={onAsk}>
            <Trans>Check again</Trans>
          </Button>
          <Button render={<Link to="/mypages/order-histories/$code" params={{ code: order.code }} />}>
            <Trans>View order</Trans>
          </Button>
        </>
      }
    >
      <Trans>
        Some banks take a while. You can leave this page. Your titles are available as soon as the payment is confirmed.
        Please don’t pay again.
      </Trans>
    </EmptyState>
  )
}
