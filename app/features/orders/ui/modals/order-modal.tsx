import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { OrderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { problemOf } from '~/platform/api/problem'
import { leftToRight } from '~/platform/format/use-format'
import { ErrorState } from '~/ui/empty-state'
import { SkeletonText } from '~/ui/skeleton'
import { orderRequest } from '../../order-request'
import { orderDetailQuery } from '../../orders.queries'
import styles from './order-modal.module.css'

export interface OrderModalProps {
  /** What the opening event carried: an `OrderRequest`. */
  data: unknown
  close: () => void
}

interface Props {
  data: unknown
  children: (order: Order) => ReactNode
}

/** A modal about one order: loads it, and says so where there is none. */
export function OrderModal({ data, children }: Props) {
  const request = orderRequest.safeParse(data)
  return request.success ? <Loaded code={request.data.code}>{children}</Loaded> : <NoOrder />
}

function Loaded({ code, children }: { code: OrderCode; children: Props['children'] }) {
  const { t } = useLingui()
  const { data: order, error, refetch, isFetching } = useQuery({ ...orderDetailQuery(code), staleTime: 0 })
  if (order) {
    return (
      <div className={styles.modal}>
        <p className={styles.code}>
          <Trans>Order {leftToRight(order.code)}</Trans>
        </p>
        {children(order)}
      </div>
    )
  }
  if (!error) return <SkeletonText lines={5} />
  if (problemOf(error)?.status === 404) return <NoOrder />
  return (
    <ErrorState
      compact
      headingLevel="h3"
      title={t`We couldn’t load the order.`}
      retry={{ label: t`Try again`, onRetry: () => void refetch(), pending: isFetching }}
      detail={problemOf(error)?.requestId}
    />
  )
}

function NoOrder() {
  const { t } = useLingui()
  return <ErrorState compact headingLevel="h3" title={t`Order not found.`} />
}
