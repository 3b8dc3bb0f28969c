import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OrderStatus } from '#contract/enumerations.ts'
import type { OrderSummary } from '#contract/orders.ts'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { type ModalName, openModal } from '~/platform/modals/modal-events'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { ScriptOnly } from '~/ui/visibility'
import { StatusBadge } from './order-notices'
import styles from './order-row.module.css'

interface Action {
  modal: ModalName
  label: ReactNode
}

const actions: Partial<Record<OrderStatus, Action>> = {
  DEPOSIT_WAITING: { modal: 'orderBankInfo', label: <Trans>View bank details</Trans> },
  PAYMENT_FAIL: { modal: 'orderFailedInfo', label: <Trans>View details</Trans> },
  CANCEL_REQUEST: { modal: 'orderCancelInfo', label: <Trans>Refund details</Trans> },
  CANCEL_COMPLETE: { modal: 'orderCancelInfo', label: <Trans>Refund details</Trans> },
}

/** The modal of a status, which opens on the list. Without JavaScript the link opens the order. */
function OrderRowAction({ order, className }: { order: OrderSummary; className: string | undefined }) {
  const action = order.status ? actions[order.status] : undefined
  if (!action) return null
  const wasNotRefunded = order.status === 'CANCEL_COMPLETE' && order.refundedAmount.amount === 0
  return (
    <ScriptOnly>
      <Button size="s" className={className} onClick={() => openModal(action.modal, { code: order.code })}>
        {wasNotRefunded ? <Trans>View details</Trans> : action.label}
      </Button>
    </ScriptOnly>
  )
}

/** An order in the list. The whole row links to its page. */
export function OrderRow({ order }: { order: OrderSummary }) {
  const format = useFormat()
  const others = order.itemCount - 1
  return (
    <li className={styles.row}>
      <span className={styles.poster} style={{ backgroundColor: order.poster?.color }}>
        {order.poster && <img src={order.poster.url} alt="" loading="lazy" width={160} height={90} />}
      </span>
      <div className={styles.words}>
        <p className={styles.when}>
          <time dateTime={order.createdAt}>{format.date(order.createdAt)}</time>
          <StatusBadge order={order} />
        </p>
        <h2 className={styles.title}>
          <Link className={styles.link} to="/mypages/order-histories/$code" params={{ code: order.code }}>
            {storeText(order, 'title')}
          </Link>
        </h2>
        <p className={styles.soft}>
          <Trans>Order {leftToRight(order.code)}</Trans>
          {others > 0 && (
            <>
              {' · '}
              <Plural value={others} one="and # more title" other="and # more titles" />
            </>
          )}
        </p>
        <OrderRowAction order={order} className={styles.action} />
      </div>
      <p className={styles.amount}>
        {format.money(order.total)}
        {order.refundedAmount.amount > 0 && (
          <span className={styles.refunded}>
            <Trans>{format.money(order.refundedAmount)} refunded</Trans>
          </span>
        )}
      </p>
      <Icon name="chevron-end" size="m" className={styles.arrow} />
    </li>
  )
}
