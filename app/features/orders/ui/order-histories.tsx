import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Pagination } from '~/ui/pagination'
import { SectionHeading } from '~/ui/section-heading'
import { ordersPerPage, ordersQuery } from '../orders.queries'
import type { OrdersSearch } from '../orders.search'
import { OrderFilters } from './order-filters'
import styles from './order-histories.module.css'
import { OrderRow } from './order-row'

/** All orders, latest first, by status and by day. */
export function OrderHistories({ search }: { search: OrdersSearch }) {
  const { t } = useLingui()
  const format = useFormat()
  const { data } = useSuspenseQuery(ordersQuery(search))
  const filtered = Boolean(search.status || search.from || search.to)
  return (
    <>
      <SectionHeading
        level="h1"
        title={<Trans>Orders</Trans>}
        count={data.total > 0 ? format.number(data.total) : undefined}
      />
      {(filtered || data.total > 0) && <OrderFilters search={search} />}
      {data.items.length === 0 ? (
        <EmptyState
          icon="receipt"
          title={filtered || data.total > 0 ? t`No matching orders` : t`You have no orders yet.`}
          actions={
            filtered || data.total > 0 ? (
              <Button render={<Link to="/mypages/order-histories" />}>
                <Trans>Show all orders</Trans>
              </Button>
            ) : (
              <Button variant="primary" render={<Link to="/products" />}>
                <Trans>Browse the store</Trans>
              </Button>
            )
          }
        >
          {filtered ? (
            <Trans>Try a different status or date range.</Trans>
          ) : (
            <Trans>Your orders and receipts will appear here.</Trans>
          )}
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {data.items.map((order) => (
            <OrderRow key={order.code} order={order} />
          ))}
        </ul>
      )}
      <div className={styles.pages}>
        <Pagination
          page={data.page}
          pages={Math.ceil(data.total / ordersPerPage)}
          labels={{
            name: t`Pages`,
            previous: t`Previous page`,
            next: t`Next page`,
          }}
          linkTo={(page) => <Link to="/mypages/order-histories" search={{ ...search, page }} />}
        />
      </div>
    </>
  )
}
