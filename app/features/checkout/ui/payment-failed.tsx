import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { leftToRight } from '~/platform/format/left-to-right'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { usePaymentFailure } from '../use-payment-failure'
import { useTryAgain } from '../use-try-again'
import styles from './result-page.module.css'

/** Why it was not paid, and the way to another try. The cart is as it was. */
export function PaymentFailed({ order }: { order: Order }) {
  const failure = usePaymentFailure()
  const again = useTryAgain(order)
  return (
    <section className={styles.failed}>
      <span className={styles.failedMark}>
        <Icon name={order.method === 'BANK' ? 'bank' : 'card'} size="xl" />
      </span>
      <h1 className={styles.title} tabIndex={-1}>
        <Trans>The payment did not go through.</Trans>
      </h1>
      <p className={styles.reason}>{failure(order.payment?.failure ?? null)}</p>
      <p className={styles.soft}>
        <Trans>Nothing was charged, and what you chose is still there.</Trans>
      </p>
      <div className={styles.actions}>
        <Button
          variant="primary"
          size="l"
          icon={order.method === 'BANK' ? 'retry' : 'card'}
          render={<Link to="/payments" search={again} />}
        >
          {order.method === 'BANK' ? <Trans>Order it again</Trans> : <Trans>Try again with another card</Trans>}
        </Button>
        <Button size="l" render={<Link to="/carts" />}>
          <Trans>Back to the cart</Trans>
        </Button>
      </div>
      <p className={styles.small}>
        <Link className={styles.link} to="/mypages/order-histories/$code" params={{ code: order.code }}>
          <Trans>Order {leftToRight(order.code)}</Trans>
        </Link>
      </p>
    </section>
  )
}
