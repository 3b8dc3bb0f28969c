import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText, storeTextList } from '~/platform/i18n/store-text'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/card'
import { Notice, type NoticeProps } from '~/ui/notice'
import styles from './order-forms.module.css'

interface Props {
  order: Order
  onClose?: (() => void) | undefined
  /** It replaces a form that was just sent, so it takes the focus. */
  arrived?: boolean
}

/**
 * The state of a cancellation or refund: amount, time, method, and the operator's reason of a
 * rejection.
 */
export function RefundState({ order, onClose, arrived = false }: Props) {
  const state = useRef<HTMLDivElement>(null)
  // With the change itself: the modal would give the focus to something else.
  useLayoutEffect(() => {
    if (!arrived) return
    state.current?.focus({ preventScroll: true })
    state.current?.scrollIntoView({ block: 'nearest' })
  }, [arrived])
  return (
    <div ref={state} className={styles.form} tabIndex={arrived ? -1 : undefined}>
      <RefundNotice order={order} />
      <RefundFacts order={order} />
      {onClose && (
        <Button full onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      )}
    </div>
  )
}

/** The refund's state in one sentence, with the operator's message. */
function RefundNotice({ order }: { order: Order }) {
  const format = useFormat()
  const { refund, status, refundedAmount, payment } = order
  if (status === 'CANCEL_REQUEST' && refund) {
    const amount = format.money(refund.amount)
    if (refund.byStore) return renderNotice('info', <Trans>The store is refunding {amount} to you.</Trans>)
    return refund.step === 'PENDING'
      ? renderNotice('info', <Trans>You requested a refund of {amount}. Our team will review it and email you.</Trans>)
      : renderNotice('info', <Trans>Your refund of {amount} was approved and is on its way.</Trans>)
  }
  if (refund?.outcome === 'REJECTED') {
    return renderNotice(
      'warning',
      <>
        <Trans>
          Your refund request for {format.money(refund.amount)} was declined. You can still use what you bought.
        </Trans>
        {refund.rejection && <blockquote dir="auto">{refund.rejection}</blockquote>}
      </>,
    )
  }
  if (refundedAmount.amount > 0) {
    const amount = format.money(refundedAmount)
    const card = payment?.card
    if (card)
      return renderNotice(
        'success',
        <Trans>
          We refunded {amount} to your card ending in {card.lastFour}.
        </Trans>,
      )
    return order.method === 'BANK'
      ? renderNotice('success', <Trans>We refunded {amount} to the bank account you provided.</Trans>)
      : renderNotice('success', <Trans>We refunded {amount}.</Trans>)
  }
  if (status === 'CANCEL_COMPLETE')
    return renderNotice('success', <Trans>Your order is canceled. You haven’t been charged.</Trans>)
  if (refund?.outcome === 'WITHDRAWN') {
    return renderNotice('info', <Trans>You withdrew your request. You can still use what you bought.</Trans>)
  }
  return <NothingToRefund order={order} />
}

/** Explains why nothing can be cancelled. */
function NothingToRefund({ order }: { order: Order }) {
  const { refundDays } = useSiteSettings().order
  switch (order.cancel.why) {
    case 'NOT_PAID':
      return renderNotice('info', <Trans>No payment was made, so there’s nothing to refund.</Trans>)
    case 'ALL_OPENED':
      return renderNotice('info', <Trans>Everything in this order was opened, so it can’t be refunded.</Trans>)
    case 'TOO_LATE':
      return renderNotice(
        'info',
        <Trans>
          The refund period of <Plural value={refundDays} one="# day" other="# days" /> has ended.
        </Trans>,
      )
    case 'UNDER_WAY':
      return renderNotice(
        'info',
        <Trans>A payment or refund for this order is being processed. Check again in a minute.</Trans>,
      )
    case 'DONE':
      return renderNotice('info', <Trans>This order has already been fully refunded.</Trans>)
    default:
      return renderNotice('info', <Trans>Nothing in this order was canceled.</Trans>)
  }
}

const renderNotice = (tone: NonNullable<NoticeProps['tone']>, text: ReactNode) => <Notice tone={tone}>{text}</Notice>

const ends = ['REFUNDED', 'PARTLY_REFUNDED', 'CANCEL_REJECTED', 'CANCEL_WITHDRAWN', 'CANCELLED']

function RefundFacts({ order }: { order: Order }) {
  const { t, i18n } = useLingui()
  const format = useFormat()
  const { refund, timeline, items } = order
  if (!refund) return null
  const cancelRequest = timeline.findLast(({ type }) => type === 'CANCEL_REQUESTED')
  const ended = refund.outcome ? timeline.findLast(({ type }) => ends.includes(type)) : undefined
  const refunded = items.filter(({ id }) => refund.itemIds.includes(id))
  const list = storeTextList(
    i18n.locale,
    refunded.map(({ product }) => storeText(product, 'title')),
  )
  const rows = [
    ...(refunded.length > 0 ? [{ key: 'items', term: t`Items`, value: list }] : []),
    { key: 'amount', term: t`Amount`, value: format.money(refund.amount) },
    ...(cancelRequest ? [{ key: 'asked', term: t`Requested on`, value: format.dateTime(cancelRequest.at) }] : []),
    ...(ended ? [{ key: 'ended', term: t`Completed on`, value: format.dateTime(ended.at) }] : []),
    ...(refund.reason ? [{ key: 'reason', term: t`Reason`, value: <span dir="auto">{refund.reason}</span> }] : []),
  ]
  return <DescriptionList rows={rows} className={styles.facts} />
}
