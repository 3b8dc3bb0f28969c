import { Trans } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { Notice } from '~/ui/notice'

/** Money that came and could not be taken. */
export function UndueMoney({ order, className }: { order: Order; className?: string | undefined }) {
  const format = useFormat()
  if (!order.undue) return null
  return (
    <Notice tone="warning" className={className}>
      <Trans>
        {format.money(order.undue)} came in that could not be taken, because the amount was another one or the time was
        over. It goes back to you.
      </Trans>
    </Notice>
  )
}
