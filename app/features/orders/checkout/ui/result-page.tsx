import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { useTryAgain } from '~/features/orders/use-order-mutation'
import { useWatchButton } from '~/features/playback/use-watch-links'
import { PaymentConfirming, PaymentNotConfirmed, PaymentPending } from '~/parts/payment-result'
import { usePaymentFailure } from '~/parts/refusal'
import { problemOf } from '~/platform/api/problem'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { useMe } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import { EmptyState } from '~/ui/empty-state'
import { Icon } from '~/ui/icon'
import { Outcome } from '~/ui/notice'
import { Picture } from '~/ui/picture'
import {
  hasStoppedPolling,
  isBeingSettled,
  type PaymentCheck,
  paymentResultQuery,
  placedOrderQuery,
  useRefreshAfterPurchase,
} from '../checkout.functions'
import checkoutStyles from './checkout-page.module.css'
import styles from './result-page.module.css'

/** The purchased items with links to watch them, and the receipt. */
function PaymentSucceeded({ order }: { order: Order }) {
  const { t } = useLingui()
  const format = useFormat()
  const opening = useWatchButton()
  const member = useMe()
  const { payment, items } = order
  const receipt = [
    { key: 'code', term: t`Order number`, value: leftToRight(order.code) },
    { key: 'paid', term: t`Payment date`, value: format.dateTime(order.paidAt ?? order.createdAt) },
    ...(payment?.card
      ? [{ key: 'card', term: t`Card`, value: t`${payment.card.issuer}, ending in ${payment.card.lastFour}` }]
      : []),
    ...(payment?.account
      ? [
          {
            key: 'bank',
            term: t`Bank transfer`,
            value: t`${payment.account.bank}, ${leftToRight(payment.account.number)}`,
          },
        ]
      : []),
    { key: 'total', term: t({ message: 'Paid', context: 'amount' }), value: format.money(order.total), total: true },
  ]
  return (
    <>
      <Outcome
        mark={{ icon: 'check' }}
        title={order.total.amount === 0 ? <Trans>It’s yours. Enjoy!</Trans> : <Trans>Payment complete. Enjoy!</Trans>}
      >
        {items.every(({ product }) => product.ready) ? (
          <Plural value={items.length} one="Your purchase is ready." other="Your # titles are ready." />
        ) : (
          <Trans>Some of what you bought isn’t ready yet. It will open here as soon as it is.</Trans>
        )}
      </Outcome>
      <ul className={styles.items}>
        {items.map((item) => (
          <li key={item.id} className={styles.item}>
            <Picture picture={item.product.poster} sizes="9rem" ratio={16 / 9} decorative />
            <div className={styles.words}>
              <p className={styles.name}>{storeText(item.product, 'title')}</p>
              <p className={styles.soft}>{storeText(item, 'optionName')}</p>
            </div>
            {item.product.ready && (
              <Button variant={items.length === 1 ? 'primary' : 'secondary'} {...opening(item.product)} />
            )}
          </li>
        ))}
      </ul>
      <Card className={styles.receipt}>
        <h2 className={styles.receiptTitle}>
          <Icon name="receipt" size="m" />
          <Trans>Receipt</Trans>
        </h2>
        <DescriptionList amounts rows={receipt} />
        <p className={styles.small}>
          {member && <Trans>Purchased by {member.name || member.email}.</Trans>}{' '}
          <Link className={styles.link} to="/mypages/order-histories/$code" params={{ code: order.code }}>
            <Trans>View order and receipt</Trans>
          </Link>
        </p>
      </Card>
      <p className={styles.onward}>
        <Button variant="ghost" iconEnd="arrow-end" render={<Link to="/mypages/paid-products" />}>
          <Trans>See all purchases</Trans>
        </Button>
      </p>
    </>
  )
}

/** Why the payment failed, and how to try again. The cart is unchanged. */
function PaymentFailed({ order }: { order: Order }) {
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

interface StillCheckingProps {
  order: Order
  /** The page no longer polls. */
  stopped: boolean
  pending: boolean
  onCheck: () => void
}

/**
 * The provider has not confirmed the payment. The page polls for a while, then offers to check
 * again.
 */
function StillChecking({ order, stopped, pending, onCheck }: StillCheckingProps) {
  const format = useFormat()
  if (!stopped) return <PaymentConfirming />
  return (
    <EmptyState
      icon="clock"
      headingLevel="h1"
      title={<Trans>We’re still confirming your payment of {format.money(order.total)}.</Trans>}
      actions={
        <>
          <Button variant="primary" icon="retry" loading={pending} onClick={onCheck}>
            <Trans>Check again</Trans>
          </Button>
          <Button render={<Link to="/mypages/order-histories/$code" params={{ code: order.code }} />}>
            <Trans>View order</Trans>
          </Button>
        </>
      }
    >
      <Trans>
        Some banks take a while. You can leave this page. Your titles are available as soon as the payment is confirmed.
        Please don’t pay again.
      </Trans>
    </EmptyState>
  )
}

interface Props {
  order?: OrderCode | undefined
  payment?: PaymentId | undefined
  /** Renders the bank account of an order that waits for its transfer. */
  deposit: (order: Order, check: PaymentCheck) => ReactNode
}

/** The page that the payment provider redirects to. */
export function ResultPage({ order, payment, deposit }: Props) {
  if (payment) return <ConfirmedPayment id={payment} deposit={deposit} />
  return order ? <PlacedOrder code={order} deposit={deposit} /> : <NoPayment />
}

function ConfirmedPayment({ id, deposit }: Pick<Props, 'deposit'> & { id: PaymentId }) {
  const query = useQuery(paymentResultQuery(id))
  const polls = useQueryClient().getQueryState(paymentResultQuery(id).queryKey)?.dataUpdateCount ?? 0
  return <Result {...query} order={query.data?.order} polls={polls} deposit={deposit} />
}

function PlacedOrder({ code, deposit }: Pick<Props, 'deposit'> & { code: OrderCode }) {
  const query = useQuery(placedOrderQuery(code))
  return <Result {...query} order={query.data} polls={0} deposit={deposit} />
}

interface ResultProps extends Pick<Props, 'deposit'> {
  order: Order | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => Promise<unknown>
  /** How often the page has polled. */
  polls: number
}

function Result({ order, error, isFetching, refetch, polls, deposit }: ResultProps) {
  const check = () => void refetch()
  useRefreshAfterPurchase(order?.status === 'PAYMENT_COMPLETE')

  if (!order && error) return <NotConfirmed error={error} onRetry={check} pending={isFetching} />
  if (!order) return <PaymentPending />
  if (order.status === 'DEPOSIT_WAITING' && !isBeingSettled(order)) {
    return <div className={checkoutStyles.page}>{deposit(order, { pending: isFetching, check })}</div>
  }
  return (
    <div className={checkoutStyles.page} aria-live="polite">
      <PaymentOutcome order={order} stopped={hasStoppedPolling(polls)} isFetching={isFetching} onCheck={check} />
    </div>
  )
}

interface PaymentOutcomeProps {
  order: Order
  /** The page no longer polls. */
  stopped: boolean
  isFetching: boolean
  onCheck: () => void
}

function PaymentOutcome({ order, stopped, isFetching, onCheck }: PaymentOutcomeProps) {
  if (isBeingSettled(order))
    return <StillChecking order={order} stopped={stopped} pending={isFetching} onCheck={onCheck} />
  switch (order.status) {
    case 'PAYMENT_COMPLETE':
    case 'CANCEL_REQUEST':
    case 'CANCEL_COMPLETE':
      return <PaymentSucceeded order={order} />
    case 'PAYMENT_FAIL':
    case null:
      return <PaymentFailed order={order} />
    case 'DEPOSIT_WAITING':
      return <StillChecking order={order} stopped pending={isFetching} onCheck={onCheck} />
    default:
      return order.status satisfies never
  }
}

function NoPayment() {
  return (
    <div className={checkoutStyles.page}>
      <EmptyState
        icon="receipt"
        headingLevel="h1"
        title={<Trans>There’s no payment to show.</Trans>}
        actions={
          <Button variant="primary" render={<Link to="/mypages/order-histories" />}>
            <Trans>View orders</Trans>
          </Button>
        }
      >
        <Trans>Your paid orders appear under Orders.</Trans>
      </EmptyState>
    </div>
  )
}

function NotConfirmed({ error, onRetry, pending }: { error: Error; onRetry: () => void; pending: boolean }) {
  if (problemOf(error)?.status === 404) return <NoPayment />
  const next = { link: <Link to="/mypages/order-histories" />, label: <Trans>View orders</Trans> }
  return (
    <div className={checkoutStyles.page}>
      <PaymentNotConfirmed error={error} onRetry={onRetry} pending={pending} next={next}>
        <Trans>
          If your payment went through, it appears under Orders. You’re never charged twice for the same order.
        </Trans>
      </PaymentNotConfirmed>
    </div>
  )
}
