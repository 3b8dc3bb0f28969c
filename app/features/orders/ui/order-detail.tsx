import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OrderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { leftToRight } from '~/platform/format/left-to-right'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { Icon } from '~/ui/icon'
import { Notice } from '~/ui/notice'
import { orderDetailQuery } from '../orders.queries'
import { MoneyTimeline } from './money-timeline'
import styles from './order-detail.module.css'
import { OrderItems } from './order-items'
import { Receipt } from './receipt'
import { StatusBadge } from './status-badge'

/** One order: what, its money in time, and the receipt. */
export function OrderDetail({ code }: { code: OrderCode }) {
  const format = useFormat()
  const { data: order } = useSuspenseQuery(orderDetailQuery(code))
  const paid = order.paidAt !== null
  return (
    <div className={styles.order}>
      <header className={styles.head}>
        <Link className={styles.back} to="/mypages/order-histories">
          <Icon name="arrow-start" size="s" />
          <Trans>Your orders</Trans>
        </Link>
        <div className={styles.titles}>
          <h1 className={styles.title} tabIndex={-1}>
            <Trans>Order {leftToRight(order.code)}</Trans>
          </h1>
          <StatusBadge order={order} />
        </div>
        <p className={styles.soft}>
          <time dateTime={order.createdAt}>{format.dateTime(order.createdAt)}</time>
        </p>
      </header>
      <Situation order={order} />
      <OrderItems order={order} />
      <div className={styles.columns}>
        <Card className={styles.timeline}>
          <h2 className={styles.heading}>
            <Trans>The money, step by step</Trans>
          </h2>
          <MoneyTimeline order={order} />
        </Card>
        {paid && <Receipt order={order} />}
      </div>
    </div>
  )
}

/** What the status means for the person, where there is something to know or to do. */
function Situation({ order }: { order: Order }) {
  const { t } = useLingui()
  const format = useFormat()
  if (order.status === null && order.payment) {
    return (
      <Notice tone="warning" className={styles.notice}>
        {order.expiresAt
          ? t`The payment is not finished. The order closes by itself at ${format.dateTime(order.expiresAt)}.`
          : t`The payment is not finished.`}{' '}
        <Link className={styles.link} to="/payments/result" search={{ order: order.code, payment: order.payment.id }}>
          <Trans>Check the payment</Trans>
        </Link>
      </Notice>
    )
  }
  if (order.status === 'PAYMENT_FAIL') {
    return (
      <Notice tone="danger" className={styles.notice}>
        <p>{t`This order was not paid, and nothing was charged. Another try is a new order.`}</p>
        <Button size="s" className={styles.again} render={<Link to="/carts" />}>
          <Trans>To the cart</Trans>
        </Button>
      </Notice>
    )
  }
  if (order.status === 'PAYMENT_COMPLETE' && order.refundableUntil && Date.parse(order.refundableUntil) > Date.now()) {
    const open = order.items.filter(({ opened, refunded }) => !opened && !refunded)
    if (open.length === 0) return null
    const amount = open.reduce((sum, { price }) => sum + price.amount, 0)
    return (
      <Notice tone="info" className={styles.notice}>
        <Trans>
          {format.money({ ...order.total, amount })} can be refunded until {format.dateTime(order.refundableUntil)}, as
          long as you have not begun to watch.
        </Trans>
      </Notice>
    )
  }
  return null
}
