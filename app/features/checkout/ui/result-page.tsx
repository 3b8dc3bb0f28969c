import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { PaymentConfirming } from '~/parts/payment-confirming'
import { PaymentNotConfirmed } from '~/parts/payment-not-confirmed'
import { problemOf } from '~/platform/api/problem'
import { useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import {
  hasStoppedPolling,
  isBeingSettled,
  type PaymentCheck,
  paymentResultQuery,
  placedOrderQuery,
} from '../checkout.functions'
import styles from './checkout-page.module.css'
import { ResultPending } from './checkout-pending'
import { PaymentFailed, PaymentSucceeded } from './payment-outcome'

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
  if (!order) return <ResultPending />
  if (order.status === 'DEPOSIT_WAITING' && !isBeingSettled(order)) {
    return <div className={styles.page}>{deposit(order, { pending: isFetching, check })}</div>
  }
  return (
    <div className={styles.page} aria-live="polite">
      <Outcome order={order} stopped={hasStoppedPolling(polls)} isFetching={isFetching} onCheck={check} />
    </div>
  )
}

interface OutcomeProps {
  order: Order
  /** The page no longer polls. */
  stopped: boolean
  isFetching: boolean
  onCheck: () => void
}

function Outcome({ order, stopped, isFetching, onCheck }: OutcomeProps) {
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
    <div className={styles.page}>
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
  const onward = { link: <Link to="/mypages/order-histories" />, label: <Trans>View orders</Trans> }
  return (
    <div className={styles.page}>
      <PaymentNotConfirmed error={error} onRetry={onRetry} pending={pending} onward={onward}>
        <Trans>
          If your payment went through, it appears under Orders. You’re never charged twice for the same order.
        </Trans>
      </PaymentNotConfirmed>
    </div>
  )
}

/** A purchase changes the cart, the purchases and all badges. */
function useRefreshAfterPurchase(paid: boolean) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!paid) return
    const touched = [
      'cart',
      'me',
      'orders',
      'paid-products',
      'products',
      'product',
      'product-to-watch',
      'product-to-buy',
    ]
    for (const key of touched) void queryClient.invalidateQueries({ queryKey: [key] })
  }, [paid, queryClient])
}
