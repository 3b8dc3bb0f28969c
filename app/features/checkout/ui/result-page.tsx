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
  type Asking,
  hasStoppedPolling,
  isBeingSettled,
  paymentResultQuery,
  placedOrderQuery,
} from '../checkout.functions'
import styles from './checkout-page.module.css'
import { ResultPending } from './checkout-pending'
import { PaymentFailed, PaymentSucceeded } from './payment-outcome'

interface StillCheckingProps {
  order: Order
  /** The page no longer asks by itself. */
  stopped: boolean
  pending: boolean
  onAsk: () => void
}

/** The provider has not confirmed the payment. The page polls for a while, then offers to check again. */
function StillChecking({ order, stopped, pending, onAsk }: StillCheckingProps) {
  const format = useFormat()
  if (!stopped) return <PaymentConfirming />
  return (
    <EmptyState
      icon="clock"
      headingLevel="h1"
      title={<Trans>We’re still confirming your payment of {format.money(order.total)}.</Trans>}
      actions={
        <>
          <Button variant="primary" icon="retry" loading={pending} onClick={onAsk}>
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
  /** Where to pay, for an order that waits for its deposit. */
  deposit: (order: Order, asking: Asking) => ReactNode
}

/** Where the browser comes back to from the payment provider. */
export function ResultPage({ order: code, payment, deposit }: Props) {
  const queryClient = useQueryClient()
  const confirmed = useQuery({ ...paymentResultQuery(payment as PaymentId), enabled: payment !== undefined })
  const placed = useQuery({ ...placedOrderQuery(code as OrderCode), enabled: !payment && code !== undefined })
  const { data, error, isFetching, refetch } = payment ? confirmed : placed
  const order = data && ('order' in data ? data.order : data)
  const answers = queryClient.getQueryState(paymentResultQuery(payment as PaymentId).queryKey)?.dataUpdateCount ?? 0
  useRefreshAfterPurchase(order?.status === 'PAYMENT_COMPLETE')

  if (!payment && !code) return <NoPayment />
  if (!order && error) return <NotConfirmed error={error} onRetry={() => void refetch()} pending={isFetching} />
  if (!order) return <ResultPending />
  if (order.status === 'DEPOSIT_WAITING' && !isBeingSettled(order)) {
    const asking = { pending: isFetching, ask: () => void refetch() }
    return <div className={styles.page}>{deposit(order, asking)}</div>
  }
  return (
    <div className={styles.page} aria-live="polite">
      <Outcome
        order={order}
        stopped={hasStoppedPolling(answers)}
        isFetching={isFetching}
        onAsk={() => void refetch()}
      />
    </div>
  )
}

interface OutcomeProps {
  order: Order
  /** The page no longer asks by itself. */
  stopped: boolean
  isFetching: boolean
  onAsk: () => void
}

function Outcome({ order, stopped, isFetching, onAsk }: OutcomeProps) {
  if (isBeingSettled(order)) return <StillChecking order={order} stopped={stopped} pending={isFetching} onAsk={onAsk} />
  switch (order.status) {
    case 'PAYMENT_COMPLETE':
    case 'CANCEL_REQUEST':
    case 'CANCEL_COMPLETE':
      return <PaymentSucceeded order={order} />
    case 'PAYMENT_FAIL':
    case null:
      return <PaymentFailed order={order} />
    case 'DEPOSIT_WAITING':
      return <StillChecking order={order} stopped pending={isFetching} onAsk={onAsk} />
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
  const onward = { link: <Link to="/mypages/order-histories" />, words: <Trans>View orders</Trans> }
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

/** What was bought changes the cart, what is owned, and every badge that says so. */
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
