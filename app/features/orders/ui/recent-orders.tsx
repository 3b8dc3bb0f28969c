import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '~/ui/button'
import { SectionHeading } from '~/ui/section-heading'
import { recentOrdersQuery } from '../orders.queries'
import styles from './order-histories.module.css'
import { OrderRow } from './order-row'

/** The latest few orders; none is no section. */
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
