import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import type { PaymentCheck } from '~/features/orders/checkout/checkout.functions'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { classNames } from '~/ui/element'
import { Icon } from '~/ui/icon'
import { useHydrated } from '~/ui/visibility'
import { DepositAccount } from './deposit-account'
import styles from './deposit-waiting.module.css'
import { PaymentIncomplete, UnappliedPayment } from './order-notices'
import { PayWithMethod } from './pay-with-method'

/** An order awaiting a transfer: account, next steps and payment by card instead. */
export function DepositWaiting({ order, check }: { order: Order; check: PaymentCheck }) {
  const format = useFormat()
  const account = order.payment?.account
  if (!account) return <NoAccount order={order} />
  return (
    <div className={styles.waiting}>
      <header className={styles.head}>
        <span className={styles.mark}>
          <Icon name="bank" size="xl" />
        </span>
        <h1 className={styles.title} tabIndex={-1}>
          <Trans>Transfer {format.money(order.total)} to complete your order.</Trans>
        </h1>
        <p className={styles.soft}>
          <Trans>Your order is reserved. This account number is for this order only.</Trans>
        </p>
      </header>
      <UnappliedPayment order={order} />
      <DepositAccount order={order} account={account} />
      <TransferCheck {...check} />
      <section aria-labelledby="next">
        <h2 id="next" className={styles.heading}>
          <Trans>Next steps</Trans>
        </h2>
        <ol className={styles.steps}>
          <li>
            <Trans>
              Transfer the exact amount from any bank. Other amounts can’t be accepted and will be refunded.
            </Trans>
          </li>
          <li>
            <Trans>
              When your transfer arrives, your titles become available and we’ll email you. This page updates too.
            </Trans>
          </li>
          <li>
            <Trans>
              If your transfer doesn’t arrive by {format.dateTime(account.dueAt)}, the order closes and you owe nothing.
            </Trans>
          </li>
        </ol>
      </section>
      <div className={styles.actions}>
        <PayWithMethod order={order} method="CARD" />
        <Button
          full
          variant="ghost"
          render={<Link to="/mypages/order-histories/$code" params={{ code: order.code }} />}
        >
          <Trans>View order</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Shows that the transfer is being checked, and lets the buyer check again. */
function TransferCheck({ pending, check }: PaymentCheck) {
  const { href } = useLocation()
  const hydrated = useHydrated()
  return (
    <div className={styles.check}>
      <p className={classNames(styles.soft, styles.status)} role="status">
        {pending ? (
          <Trans>Checking for your transfer…</Trans>
        ) : (
          <Trans>We haven’t received your transfer yet. This page checks again automatically.</Trans>
        )}
      </p>
      {hydrated ? (
        <Button size="s" icon="retry" loading={pending} onClick={check}>
          <Trans>Check again</Trans>
        </Button>
      ) : (
        <Button size="s" icon="retry" render={<a href={href} />}>
          <Trans>Check again</Trans>
        </Button>
      )}
    </div>
  )
}

/** A card was tried instead and did not work: the order is still open. */
function NoAccount({ order }: { order: Order }) {
  return (
    <div className={styles.waiting}>
      <header className={styles.head}>
        <span className={styles.mark}>
          <Icon name="card" size="xl" />
        </span>
        <h1 className={styles.title} tabIndex={-1}>
          <PaymentIncomplete order={order} />
        </h1>
        <p className={styles.soft}>
          <Trans>You haven’t been charged. Choose a payment method.</Trans>
        </p>
      </header>
      <div className={styles.actions}>
        <PayWithMethod order={order} method="BANK" variant="primary" />
        <PayWithMethod order={order} method="CARD" />
        <Button
          full
          variant="ghost"
          render={<Link to="/mypages/order-histories/$code" params={{ code: order.code }} />}
        >
          <Trans>View order</Trans>
        </Button>
      </div>
    </div>
  )
}
