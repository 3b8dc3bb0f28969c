import { Trans } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { Notice } from '~/ui/notice'

/** Money that came and could not be taken. */
export function UnappliedPayment({ order, className }: { order: Order; className?: string | undefined }) {
  const format = useFormat()
  if (!order.unapplied) return null
  return (
    <Notice tone="warning" className={className}>
      <Trans>
        We received {format.money(order.unapplied)} but couldn’t accept it because the amount was different or the
        deadline had passed. We’ll refund it.
      </Trans>
    </Notice>
  )
}
