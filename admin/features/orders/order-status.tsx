import { msg } from '@lingui/core/macro'
import type { StoreOrder } from '#contract/admin/orders.ts'
import { orderStatuses } from '../../ui/order-labels'
import { StatusBadge } from '../../ui/status'

const given = { label: msg`Complimentary`, tone: 'success' } as const
const revoked = { label: msg`Revoked`, tone: 'neutral' } as const

/** The status of an order, where it has one. */
export function OrderStatus({
  order: { status, complimentary },
}: {
  order: Pick<StoreOrder, 'status' | 'complimentary'>
}) {
  if (!status) return null
  if (complimentary) return <StatusBadge status={status === 'CANCEL_COMPLETE' ? revoked : given} />
  return <StatusBadge status={orderStatuses[status]} />
}
