import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { usePaymentFailure } from '~/features/checkout/use-payment-failure'
import { useTryAgain } from '~/features/checkout/use-try-again'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { Notice } from '~/ui/notice'
import { OrderModal, type OrderModalProps } from './order-modal'
import styles from './order-modal.module.css'

/** Why an order was not paid, and what can be done now. */
export function FailedInfoModal({ data, close }: OrderModalProps) {
  return <OrderModal data={data}>{(order) => <FailedInfo order={order} close={close} />}</OrderModal>
}

function FailedInfo({ order, close }: { order: Order; close: () => void }) {
  const failure = usePaymentFailure()
  const format = useFormat()
  const again = useTryAgain(order)
  if (order.status !== 'PAYMENT_FAIL') {
    return (
      <Notice tone="info">
        <Trans>The payment for this order didn’t fail.</Trans>
      </Notice>
    )
  }
  const failed = order.timeline.findLast(({ type }) => type === 'FAILED')
  return (
    <>
      <Notice tone="danger">{failure(order.payment?.failure ?? null)}</Notice>
      {failed && (
        <p className={styles.soft}>
          <time dateTime={failed.at}>{format.dateTime(failed.at)}</time>
        </p>
      )}
      <p>
        <Trans>
          You haven’t been charged. This order is closed. To try again, place a new order at the current price.
        </Trans>
      </p>
      <div className={styles.actions}>
        <Button variant="primary" full render={<Link to="/payments" search={again} onClick={close} />}>
          <Trans>Place a new order</Trans>
        </Button>
        <Button full render={<Link to="/carts" onClick={close} />}>
          <Trans>View cart</Trans>
        </Button>
      </div>
    </>
  )
}
