import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { leftToRight } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Outcome } from '~/ui/notice'
import { usePaymentFailure } from '../use-payment-failure'
import { useTryAgain } from '../use-try-again'
import styles from './result-page.module.css'

/** Why it was not paid, and the way to another try. The cart is as it was. */
export function PaymentFailed({ order }: { order: Order }) {
  const failure = usePaymentFailure()
  const again = useTryAgain(order)
  const byBank = order.method === 'BANK'
  return (
    <Outcome
      mark={{ icon: byBank ? 'bank' : 'card', failed: true }}
      title={<Trans>Your payment didn’t go through.</Trans>}
      reason={failure(order.payment?.failure ?? null)}
      actions={
        <>
          <Button
            variant="primary"
            size="l"
            icon={byBank ? 'retry' : 'card'}
            render={<Link to="/payments" search={again} />}
          >
            {byBank ? <Trans>Order again</Trans> : <Trans>Try another card</Trans>}
          </Button>
          <Button size="l" render={<Link to="/carts" />}>
            <Trans>Back to cart</Trans>
          </Button>
        </>
      }
      note={
        <p className={styles.small}>
          <Link className={styles.link} to="/mypages/order-histories/$code" params={{ code: order.code }}>
            <Trans>Order {leftToRight(order.code)}</Trans>
          </Link>
        </p>
      }
    >
      <Trans>You haven’t been charged, and your selection is saved.</Trans>
    </Outcome>
  )
}
