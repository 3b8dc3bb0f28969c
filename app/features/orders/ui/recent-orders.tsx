import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { SectionHeading } from '~/ui/section-heading'
import { recentOrdersQuery, waitingDepositsQuery } from '../orders.functions'
import styles from './order-histories.module.css'
import { OrderRow } from './order-row'

/** The latest orders. Renders nothing without any. */
export function RecentOrders() {
  const { data } = useSuspenseQuery(recentOrdersQuery)
  if (data.items.length === 0) return null
  return (
    <section>
      <SectionHeading
        title={<Trans>Recent orders</Trans>}
        action={
          <Button variant="ghost" size="s" iconEnd="chevron-end" render={<Link to="/mypages/order-histories" />}>
            <Trans>All orders</Trans>
          </Button>
        }
      />
      <ul className={styles.list}>
        {data.items.map((order) => (
          <OrderRow key={order.code} order={order} />
        ))}
      </ul>
    </section>
  )
}

/** The latest orders that wait for a transfer. Renders nothing without one. */
export function PendingDeposits() {
  const format = useFormat()
  const { data } = useSuspenseQuery(waitingDepositsQuery)
  return data.items.map(({ code, title, total }) => (
    <Notice key={code} tone="warning">
      <Trans>
        “{title}” is awaiting your transfer of {format.money(total)}.
      </Trans>{' '}
      <Link className={styles.noticeLink} to="/mypages/order-histories/$code" params={{ code }}>
        <Trans>View bank details</Trans>
      </Link>
    </Notice>
  ))
}
