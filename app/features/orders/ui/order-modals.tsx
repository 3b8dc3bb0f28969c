import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { type OrderCode, orderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { useTryAgain } from '~/features/orders/use-order-mutation'
import { usePaymentFailure } from '~/parts/refusal'
import { problemOf } from '~/platform/api/problem'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { Button } from '~/ui/button'
import { ErrorState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { SkeletonText } from '~/ui/skeleton'
import { orderDetailQuery } from '../orders.functions'
import { CancelForm } from './cancel-form'
import { DepositAccount } from './deposit-account'
import styles from './order-modals.module.css'
import { PaymentIncomplete } from './order-notices'
import { PayWithMethod } from './pay-with-method'
import { RefundState } from './refund-state'

/** The data of the event that opens a modal of an order. */
export const orderRequest = z.object({ code: orderCode })

export interface OrderModalProps {
  /** The data of the opening event: an `orderRequest`. */
  data: unknown
  close: () => void
}

interface Props {
  data: unknown
  children: (order: Order) => ReactNode
}

/** A modal of one order. Loads it, and shows a message where it does not exist. */
export function OrderModal({ data, children }: Props) {
  const request = orderRequest.safeParse(data)
  return request.success ? <Loaded code={request.data.code}>{children}</Loaded> : <NoOrder />
}

function Loaded({ code, children }: { code: OrderCode; children: Props['children'] }) {
  const { t } = useLingui()
  const { data: order, error, refetch, isFetching } = useQuery({ ...orderDetailQuery(code), staleTime: 0 })
  if (order) {
    return (
      <div className={styles.modal}>
        <p className={styles.code}>
          <Trans>Order {leftToRight(order.code)}</Trans>
        </p>
        {children(order)}
      </div>
    )
  }
  if (!error) return <SkeletonText lines={5} />
  if (problemOf(error)?.status === 404) return <NoOrder />
  return (
    <ErrorState
      compact
      headingLevel="h3"
      title={t`We couldn’t load the order.`}
      retry={{ label: t`Try again`, onRetry: () => void refetch(), pending: isFetching }}
      detail={problemOf(error)?.requestId}
    />
  )
}

function NoOrder() {
  const { t } = useLingui()
  return <ErrorState compact headingLevel="h3" title={t`Order not found.`} />
}

/** The account for a pending deposit, with the remaining time. */
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
          <PaymentIncomplete order={order} />
        </Notice>
      )}
      <div className={styles.actions}>
        {!account && <PayWithMethod order={order} method="BANK" variant="primary" />}
        <PayWithMethod order={order} method="CARD" />
      </div>
    </>
  )
}

/** The amount, time and method of a refund, or why there is none. */
export function CancelInfoModal({ data }: OrderModalProps) {
  return <OrderModal data={data}>{(order) => <RefundState order={order} />}</OrderModal>
}

/** Explains why an order was not paid, and what to do. */
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

/** Cancels an order, or requests a refund. */
export function RequestCancelModal({ data, close }: OrderModalProps) {
  return <OrderModal data={data}>{(order) => <CancelForm key={order.code} order={order} onClose={close} />}</OrderModal>
}
