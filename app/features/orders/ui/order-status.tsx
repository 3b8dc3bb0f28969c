import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { RefundAccount } from '#contract/billing.ts'
import type { Order } from '#contract/orders.ts'
import { useTryAgain } from '~/features/orders/use-order-mutation'
import { usePaymentFailure } from '~/parts/refusal'
import { useFormat } from '~/platform/format/use-format'
import { useDirtyForm } from '~/platform/forms/dirty-forms'
import { Button } from '~/ui/button'
import { Card } from '~/ui/card'
import { Notice } from '~/ui/notice'
import { setRefundAccount, withdrawCancelRequest } from '../orders.functions'
import { useOrderMutation } from '../use-order-mutation'
import { DepositAccount } from './deposit-account'
import styles from './order-detail.module.css'
import orderFormsStyles from './order-forms.module.css'
import { OrderProblem, PaymentIncomplete, UnappliedPayment } from './order-notices'
import { PayWithMethod } from './pay-with-method'
import { type AccountFault, RefundAccountFields, readRefundAccount } from './refund-account-fields'
import { RefundState } from './refund-state'

/** Asks for the account of a waiting refund. A real form. */
function RefundAccountForm({ order, idempotencyKey: firstKey }: { order: Order; idempotencyKey: string }) {
  const [faults, setFaults] = useState<readonly AccountFault[]>([])
  const { mutate, idempotencyKey, pending, done, problem } = useOrderMutation({
    order,
    firstKey,
    send: (refundAccount: RefundAccount, named, signal) =>
      setRefundAccount({ data: { idempotencyKey: named, account: { code: order.code, refundAccount } }, signal }),
  })
  const [written, setWritten] = useState(false)
  useDirtyForm(written && !pending && !done)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { account, faults: newFaults } = readRefundAccount(new FormData(event.currentTarget))
    setFaults(newFaults)
    if (newFaults[0]) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${newFaults[0]}]`)?.focus()
    if (!pending) mutate(account)
  }
  return (
    <Card className={orderFormsStyles.panel}>
      <form
        method="post"
        action={`/mypages/order-histories/${order.code}`}
        className={orderFormsStyles.form}
        onSubmit={submit}
        onChange={() => setWritten(true)}
        noValidate
      >
        <input type="hidden" name="intent" value="account" />
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
        <Notice tone="warning">
          <Trans>You have a refund waiting. Tell us where to send it.</Trans>
        </Notice>
        <RefundAccountFields faults={faults} />
        <OrderProblem code={problem} />
        <Button type="submit" variant="primary" loading={pending}>
          <Trans>Send the refund to this account</Trans>
        </Button>
      </form>
    </Card>
  )
}

/** Withdraws a refund request that nobody has accepted yet. A real form. */
function WithdrawRefundRequest({ order }: { order: Order }) {
  const { mutate, pending, problem } = useOrderMutation({
    order,
    send: (_: undefined, __, signal) => withdrawCancelRequest({ data: { code: order.code }, signal }),
  })
  if (order.cancel.action !== 'WITHDRAW') return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) mutate(undefined)
  }
  return (
    <form method="post" action={`/mypages/order-histories/${order.code}`} onSubmit={submit}>
      <input type="hidden" name="intent" value="withdraw" />
      <OrderProblem code={problem} />
      <Button type="submit" loading={pending}>
        <Trans>Withdraw refund request</Trans>
      </Button>
    </form>
  )
}

/** Explains the status of the order to the buyer, and what they can do. */
export function OrderStatusPanel({ order, idempotencyKey }: { order: Order; idempotencyKey: string }) {
  return (
    <>
      <UnappliedPayment order={order} className={styles.notice} />
      {order.needsRefundAccount && <RefundAccountForm order={order} idempotencyKey={idempotencyKey} />}
      <StatusDetails order={order} />
    </>
  )
}

function StatusDetails({ order }: { order: Order }) {
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
          <WithdrawRefundRequest order={order} />
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

/** The result of a requested refund. */
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
          <PaymentIncomplete order={order} />
        )}
      </h2>
      {account && <DepositAccount order={order} account={account} />}
      <div className={styles.ways}>
        {!account && <PayWithMethod order={order} method="BANK" variant="primary" />}
        <PayWithMethod order={order} method="CARD" />
      </div>
    </section>
  )
}
