import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { usePaymentFailure } from '~/features/checkout/use-payment-failure'
import { useTryAgain } from '~/features/checkout/use-try-again'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { CardNotDone } from './card-not-done'
import { DepositAccount } from './deposit-account'
import { GiveAccount } from './give-account'
import styles from './order-detail.module.css'
import { PayOtherwise } from './pay-otherwise'
import { RefundState } from './refund-state'
import { TakeBack } from './take-back'
import { UnappliedPayment } from './unapplied-payment'

/** What the status means for the person, where there is something to know or to do. */
export function OrderSituation({ order, attempt }: { order: Order; attempt: string }) {
  return (
    <>
      <UnappliedPayment order={order} className={styles.notice} />
      {order.needsRefundAccount && <GiveAccount order={order} attempt={attempt} />}
      <OfStatus order={order} />
    </>
  )
}

function OfStatus({ order }: { order: Order }) {
  switch (order.status) {
    case null:
      return <NotFinished order={order} />
    case 'PAYMENT_FAIL':
      return <Failed order={order} />
    case 'DEPOSIT_WAITING':
      return <Waiting order={order} />
    case 'CANCEL_REQUEST':
      return (
        <div className={styles.situation}>
          <RefundState order={order} />
          <TakeBack order={order} />
        </div>
      )
    case 'CANCEL_COMPLETE':
      return <Settled order={order} />
    case 'PAYMENT_COMPLETE':
      return order.refund ? <Settled order={order} /> : null
    default:
      return order.status satisfies never
  }
}

/** How a refund ended that was asked for. */
function Settled({ order }: { order: Order }) {
  return (
    <div className={styles.situation}>
      <RefundState order={order} />
    </div>
  )
}

function NotFinished({ order }: { order: Order }) {
  const { t } = useLingui()
  const format = useFormat()
  if (!order.payment) return null
  return (
    <Notice tone="warning" className={styles.notice}>
      {order.expiresAt
        ? t`Your payment isn’t complete. The order closes automatically at ${format.dateTime(order.expiresAt)}.`
        : t`Your payment isn’t complete.`}{' '}
      <Link className={styles.link} to="/payments/result" search={{ order: order.code, payment: order.payment.id }}>
        <Trans>Check payment status</Trans>
      </Link>
    </Notice>
  )
}

function Failed({ order }: { order: Order }) {
  const failure = usePaymentFailure()
  const again = useTryAgain(order)
  return (
    <Notice tone="danger" className={styles.notice}>
      <p>{failure(order.payment?.failure ?? null)}</p>
      <p>
        <Trans>
          You haven’t been charged. This order is closed. To try again, place a new order at the current price.
        </Trans>
      </p>
      <Button size="s" className={styles.again} render={<Link to="/payments" search={again} />}>
        <Trans>Place a new order</Trans>
      </Button>
    </Notice>
  )
}

function Waiting({ order }: { order: Order }) {
  const format = useFormat()
  const account = order.payment?.account
  return (
    <section className={styles.situation} aria-labelledby="deposit">
      <h2 id="deposit" className={styles.heading}>
        {account ? (
          <Trans>Transfer {format.money(order.total)} to complete your order.</Trans>
        ) : (
          <CardNotDone order={order} />
        )}
      </h2>
      {account && <DepositAccount order={order} account={account} />}
      <div className={styles.ways}>
        {!account && <PayOtherwise order={order} method="BANK" variant="primary" />}
        <PayOtherwise order={order} method="CARD" />
      </div>
    </section>
  )
}
