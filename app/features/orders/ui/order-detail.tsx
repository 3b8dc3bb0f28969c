import { Trans, useLingui } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { OrderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { usePaymentFailure } from '~/parts/refusal'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { openModal } from '~/platform/modals/modal-events'
import { Button } from '~/ui/button'
import { Card, DescriptionList } from '~/ui/card'
import { classNames } from '~/ui/element'
import { Icon } from '~/ui/icon'
import { SectionHeading } from '~/ui/section-heading'
import { eventLabel } from '../order-labels'
import { type OrderDetailSearch, orderDetailQuery } from '../orders.functions'
import { CancelForm } from './cancel-form'
import moneyTimelineStyles from './money-timeline.module.css'
import styles from './order-detail.module.css'
import { OrderItems } from './order-items'
import { OrderProblem, PdfLink, StatusBadge } from './order-notices'
import { OrderStatusPanel } from './order-status'

/** The refund that is possible now and its deadline. Without script the form is on the page. */
function CancelOffer({ order }: { order: Order }) {
  const format = useFormat()
  const { action, amount, automatic, until } = order.cancel
  if (action !== 'REFUND' && action !== 'DEPOSIT') return null
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    openModal('orderRequestCancel', { code: order.code })
  }
  return (
    <section className={styles.offer}>
      <Icon name="retry" size="m" />
      <p>
        {action === 'DEPOSIT' ? (
          <Trans>Changed your mind? You haven’t paid yet, so you can cancel right away.</Trans>
        ) : automatic && until ? (
          <Trans>
            You can get a {format.money(amount)} refund until {format.dateTime(until)} if you haven’t opened it.
          </Trans>
        ) : automatic ? (
          <Trans>This isn’t ready yet, so you can get {format.money(amount)} back right away.</Trans>
        ) : until ? (
          <Trans>
            You can request a {format.money(amount)} refund until {format.dateTime(until)}. Our team will review your
            request.
          </Trans>
        ) : (
          <Trans>You can request a {format.money(amount)} refund. Our team will review your request.</Trans>
        )}
      </p>
      <Button
        size="s"
        render={
          <Link
            to="/mypages/order-histories/$code"
            params={{ code: order.code }}
            search={{ cancel: true }}
            hash="cancel"
            onClick={open}
          />
        }
      >
        {action === 'DEPOSIT' ? <Trans>Cancel order</Trans> : <Trans>Request a refund</Trans>}
      </Button>
    </section>
  )
}

type OrderEvent = Order['timeline'][number]

/** Events that refund money. */
const back: readonly OrderEvent['type'][] = [
  'REFUNDED',
  'PARTLY_REFUNDED',
  'UNAPPLIED_PAYMENT_REFUNDED',
  'UNAPPLIED_PAYMENT_APPLIED',
  'DEPOSIT_REVERSED',
]

/** A text written by a person: the member's reason or the operator's answer. */
const written: readonly OrderEvent['type'][] = ['CANCEL_REQUESTED', 'CANCEL_REJECTED']

/** The events of the order's payments, with time and amount. */
function MoneyTimeline({ order }: { order: Order }) {
  const { i18n } = useLingui()
  const format = useFormat()
  return (
    <ol className={moneyTimelineStyles.timeline}>
      {order.timeline.map((event, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are never reordered.
        <li key={at} className={classNames(moneyTimelineStyles.event, moneyTimelineStyles[event.type.toLowerCase()])}>
          <span className={moneyTimelineStyles.what}>{i18n._(eventLabel(event))}</span>
          <time className={moneyTimelineStyles.when} dateTime={event.at}>
            {format.dateTime(event.at)}
          </time>
          <Detail event={event} />
          {event.amount && (
            <span className={moneyTimelineStyles.amount}>
              {format.money(
                back.includes(event.type) ? { ...event.amount, amount: -Math.abs(event.amount.amount) } : event.amount,
              )}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

/** The reason of a failure, or a person's text. The provider's codes are not shown. */
function Detail({ event: { type, detail } }: { event: OrderEvent }) {
  const failure = usePaymentFailure()
  if (!detail) return null
  if (type === 'FAILED') return <span className={moneyTimelineStyles.detail}>{failure(detail)}</span>
  if (!written.includes(type)) return null
  return (
    <span className={moneyTimelineStyles.detail} dir="auto">
      {detail}
    </span>
  )
}

/** A summary of the payment and the link to the receipt. */
function ReceiptCard({ order }: { order: Order }) {
  const { t } = useLingui()
  const format = useFormat()
  const card = order.payment?.card
  const method = card
    ? t`${card.issuer}, ending in ${card.lastFour}`
    : order.method === 'BANK'
      ? t`Bank transfer`
      : null
  const rows = [
    { key: 'paid', term: t`Payment date`, value: order.paidAt ? format.dateTime(order.paidAt) : '' },
    ...(method ? [{ key: 'method', term: t`Payment method`, value: method }] : []),
    { key: 'total', term: t`Total (taxes included)`, value: format.money(order.total) },
    ...(order.refundedAmount.amount > 0
      ? [
          {
            key: 'refunded',
            term: t`Refunded`,
            value: format.money({ ...order.refundedAmount, amount: -order.refundedAmount.amount }),
          },
        ]
      : []),
  ]
  return (
    <Card>
      <h2 className={styles.heading}>
        <Trans>Receipt</Trans>
      </h2>
      <DescriptionList rows={rows} amounts />
      <p className={styles.receiptActions}>
        <Button
          icon="receipt"
          render={<Link to="/mypages/order-histories/$code/receipt" params={{ code: order.code }} />}
        >
          <Trans>View receipt</Trans>
        </Button>
        <PdfLink code={order.code} />
      </p>
    </Card>
  )
}

interface Props {
  code: OrderCode
  /** Names the next write of this page's forms. */
  idempotencyKey: string
  search: OrderDetailSearch
}

/** One order: status and actions, items, payment timeline and receipt. */
export function OrderDetail({ code, idempotencyKey, search }: Props) {
  const format = useFormat()
  const { data: order } = useSuspenseQuery(orderDetailQuery(code))
  const paid = order.paidAt !== null
  return (
    <div className={styles.order}>
      <header className={styles.head}>
        <Link className={styles.back} to="/mypages/order-histories">
          <Icon name="arrow-start" size="s" />
          <Trans>Orders</Trans>
        </Link>
        <SectionHeading
          level="h1"
          title={<Trans>Order {leftToRight(order.code)}</Trans>}
          text={<time dateTime={order.createdAt}>{format.dateTime(order.createdAt)}</time>}
          action={<StatusBadge order={order} />}
        />
      </header>
      <OrderProblem code={search.problem} />
      <OrderStatusPanel order={order} idempotencyKey={idempotencyKey} />
      {search.cancel && (
        <Card id="cancel" className={styles.cancel}>
          <h2 className={styles.heading}>
            <Trans>Cancel or refund</Trans>
          </h2>
          <CancelForm order={order} idempotencyKey={idempotencyKey} />
        </Card>
      )}
      <OrderItems order={order} />
      {!search.cancel && <CancelOffer order={order} />}
      <div className={styles.columns}>
        <Card className={styles.timeline}>
          <h2 className={styles.heading}>
            <Trans>Payment timeline</Trans>
          </h2>
          <MoneyTimeline order={order} />
        </Card>
        {paid && <ReceiptCard order={order} />}
      </div>
    </div>
  )
}
