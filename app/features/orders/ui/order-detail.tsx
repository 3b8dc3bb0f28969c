import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OrderCode } from '#contract/ids.ts'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { Card } from '~/ui/card'
import { Icon } from '~/ui/icon'
import { SectionHeading } from '~/ui/section-heading'
import { orderDetailQuery } from '../orders.queries'
import type { OrderDetailSearch } from '../orders.search'
import { CancelForm } from './cancel-form'
import { CancelOffer } from './cancel-offer'
import { MoneyTimeline } from './money-timeline'
import styles from './order-detail.module.css'
import { OrderItems } from './order-items'
import { OrderProblem } from './order-problem'
import { OrderSituation } from './order-situation'
import { ReceiptCard } from './receipt-card'
import { StatusBadge } from './status-badge'

interface Props {
  code: OrderCode
  /** Names the next write of this page's forms. */
  attempt: string
  search: OrderDetailSearch
}

/** One order: how it stands and what can be done, what was bought, its money in time, and the receipt. */
export function OrderDetail({ code, attempt, search }: Props) {
  const format = useFormat()
  const { data: order } = useSuspenseQuery(orderDetailQuery(code))
  const paid = order.paidAt !== null
  return (
    <div className={styles.order}>
      <header className={styles.head}>
        <Link className={styles.back} to="/mypages/order-histories">
          <Icon name="arrow-start" size="s" />
          <Trans>Orders</Trans>
        </Link>
        <SectionHeading
          level="h1"
          title={<Trans>Order {leftToRight(order.code)}</Trans>}
          text={<time dateTime={order.createdAt}>{format.dateTime(order.createdAt)}</time>}
          action={<StatusBadge order={order} />}
        />
      </header>
      <OrderProblem code={search.problem} />
      <OrderSituation order={order} attempt={attempt} />
      {search.ask && (
        <Card id="cancel" className={styles.ask}>
          <h2 className={styles.heading}>
            <Trans>Cancel or refund</Trans>
          </h2>
          <CancelForm order={order} attempt={attempt} />
        </Card>
      )}
      <OrderItems order={order} />
      {!search.ask && <CancelOffer order={order} />}
      <div className={styles.columns}>
        <Card className={styles.timeline}>
          <h2 className={styles.heading}>
            <Trans>Payment timeline</Trans>
          </h2>
          <MoneyTimeline order={order} />
        </Card>
        {paid && <ReceiptCard order={order} />}
      </div>
    </div>
  )
}
