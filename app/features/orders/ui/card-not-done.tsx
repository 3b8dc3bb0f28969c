import { Trans } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'

/** A card was tried in place of the transfer and has not paid; the order is still open. */
export function CardNotDone({ order }: { order: Order }) {
  return order.payment?.status === 'FAILED' ? (
    <Trans>Your card payment didn’t go through. Your order is still open.</Trans>
  ) : (
    <Trans>Your card payment isn’t complete. Your order is still open.</Trans>
  )
}
