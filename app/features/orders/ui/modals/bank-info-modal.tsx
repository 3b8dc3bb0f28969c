import { Trans } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'
import { Notice } from '~/ui/notice'
import { CardNotDone } from '../card-not-done'
import { DepositAccount } from '../deposit-account'
import { PayOtherwise } from '../pay-otherwise'
import { OrderModal, type OrderModalProps } from './order-modal'
import styles from './order-modal.module.css'

/** The account of a deposit that is waited for, with what is left of its time. */
export function BankInfoModal({ data }: OrderModalProps) {
  return <OrderModal data={data}>{(order) => <BankInfo order={order} />}</OrderModal>
}

function BankInfo({ order }: { order: Order }) {
  const account = order.payment?.account
  if (order.status !== 'DEPOSIT_WAITING') {
    return (
      <Notice tone="info">
        <Trans>This order is no longer awaiting a transfer.</Trans>
      </Notice>
    )
  }
  return (
    <>
      {account ? (
        <>
          <p className={styles.soft}>
            <Trans>Transfer the exact amount. Your titles are available as soon as it arrives.</Trans>
          </p>
          <DepositAccount order={order} account={account} />
        </>
      ) : (
        <Notice tone="warning">
          <CardNotDone order={order} />
        </Notice>
      )}
      <div className={styles.actions}>
        {!account && <PayOtherwise order={order} method="BANK" variant="primary" />}
        <PayOtherwise order={order} method="CARD" />
      </div>
    </>
  )
}
