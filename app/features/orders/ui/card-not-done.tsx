import { Trans } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'

/** A card was tried in place of the transfer and has not paid; the order is still open. */
export function CardNotDone({ order }: { order: Order }) {
  return order.payment?.status === 'FAILED' ? (
    <Trans>The card did not work. Your order is still open.</Trans>
  ) : (
    <Trans>The payment by card is not finished. Your order is still open.</Trans>
  )
}
