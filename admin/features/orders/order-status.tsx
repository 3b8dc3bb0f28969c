import { msg } from '@lingui/core/macro'
import type { StoreOrder } from '#contract/admin/orders.ts'
import { orderStatuses } from '../../ui/order-labels'
import { StatusBadge } from '../../ui/status'

const given = { label: msg`Complimentary`, tone: 'success' } as const
const revoked = { label: msg`Revoked`, tone: 'neutral' } as const

const partlyRefunded = { label: msg`Partly refunded`, tone: 'neutral' } as const

/** The status of an order, where it has one. */
export function OrderStatus({
  order: { status, complimentary, refunded },
}: {
  order: Pick<StoreOrder, 'status' | 'complimentary' | 'refunded'>
}) {
  if (!status) return null
  if (complimentary) return <StatusBadge status={status === 'CANCEL_COMPLETE' ? revoked : given} />
  return (
    <>
      <StatusBadge status={orderStatuses[status]} />
      {status === 'PAYMENT_COMPLETE' && refunded.amount > 0 && (
        <>
          {' '}
          <StatusBadge status={partlyRefunded} />
        </>
      )}
    </>
  )
}
