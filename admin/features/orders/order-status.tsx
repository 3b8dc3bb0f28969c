import { msg } from '@lingui/core/macro'
import type { StoreOrder } from '#contract/admin/orders.ts'
import { orderStatuses } from '../../ui/order-labels'
import { StatusBadge } from '../../ui/status'

const given = { label: msg`Complimentary`, tone: 'success' } as const
const revoked = { label: msg`Revoked`, tone: 'neutral' } as const
const refundedWhole = { label: msg`Refunded`, tone: 'neutral' } as const
const partlyRefunded = { label: msg`Partly refunded`, tone: 'neutral' } as const
const cancelled = { label: msg`Canceled`, tone: 'neutral' } as const

type Order = Pick<StoreOrder, 'status' | 'complimentary' | 'total' | 'refunded'>

/** How an order has ended: nothing is refunded of what cost nothing or was never paid. */
const endOf = ({ total, refunded }: Order) => {
  if (total.amount === 0) return revoked
  return refunded.amount > 0 ? refundedWhole : cancelled
}

/** The status of an order, where it has one. */
export function OrderStatus({ order }: { order: Order }) {
  const { status, complimentary, refunded } = order
  if (!status) return null
  if (status === 'CANCEL_COMPLETE') return <StatusBadge status={endOf(order)} />
  if (complimentary) return <StatusBadge status={given} />
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
