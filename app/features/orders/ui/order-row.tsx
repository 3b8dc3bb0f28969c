import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { OrderSummary } from '#contract/orders.ts'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Icon } from '~/ui/icon'
import styles from './order-row.module.css'
import { OrderRowAction } from './order-row-action'
import { StatusBadge } from './status-badge'

/** One order of the list; all of it leads to its page. */
export function OrderRow({ order }: { order: OrderSummary }) {
  const format = useFormat()
  const others = order.itemCount - 1
  return (
    <li className={styles.row}>
      <span className={styles.poster} style={{ backgroundColor: order.poster?.color }}>
        {order.poster && <img src={order.poster.url} alt="" loading="lazy" width={160} height={90} />}
      </span>
      <div className={styles.words}>
        <p className={styles.when}>
          <time dateTime={order.createdAt}>{format.date(order.createdAt)}</time>
          <StatusBadge order={order} />
        </p>
        <h2 className={styles.title}>
          <Link className={styles.link} to="/mypages/order-histories/$code" params={{ code: order.code }}>
            {storeText(order, 'title')}
          </Link>
        </h2>
        <p className={styles.soft}>
          {others > 0 ? (
            <Plural value={others} one="and # more title" other="and # more titles" />
          ) : (
            <Trans>Order {leftToRight(order.code)}</Trans>
          )}
        </p>
        <OrderRowAction order={order} className={styles.action} />
      </div>
      <p className={styles.amount}>
        {format.money(order.total)}
        {order.refundedAmount.amount > 0 && (
          <span className={styles.refunded}>
            <Trans>{format.money(order.refundedAmount)} refunded</Trans>
          </span>
        )}
      </p>
      <Icon name="chevron-end" size="m" className={styles.arrow} />
    </li>
  )
}
