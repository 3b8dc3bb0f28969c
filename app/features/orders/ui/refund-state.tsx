import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { Button } from '~/ui/button'
import { DescriptionList } from '~/ui/description-list'
import { Notice, type NoticeProps } from '~/ui/notice'
import styles from './order-forms.module.css'

interface Props {
  order: Order
  onward?: (() => void) | undefined
}

/** How it stands with an order's cancelling or refund: what, how much, when, how, and the desk's words if it said no. */
export function RefundState({ order, onward }: Props) {
  return (
    <div className={styles.form}>
      <RefundNotice order={order} />
      <RefundFacts order={order} />
      {onward && (
        <Button full onClick={onward}>
          <Trans>Close</Trans>
        </Button>
      )}
    </div>
  )
}

/** The one sentence about it, and the desk's words. */
function RefundNotice({ order }: { order: Order }) {
  const format = useFormat()
  const { refund, status, refundedAmount, payment } = order
  if (status === 'CANCEL_REQUEST' && refund) {
    const amount = format.money(refund.amount)
    if (refund.byStore) return say('info', <Trans>The store is refunding {amount} to you.</Trans>)
    return refund.step === 'PENDING'
      ? say('info', <Trans>You asked for {amount} back. A person at the store decides, and we write to you.</Trans>)
      : say('info', <Trans>Your refund of {amount} was accepted. The money is on its way.</Trans>)
  }
  if (refund?.outcome === 'REJECTED') {
    return say(
      'warning',
      <>
        <Trans>The store did not agree to give {format.money(refund.amount)} back. What you bought stays yours.</Trans>
        {refund.rejection && <blockquote dir="auto">{refund.rejection}</blockquote>}
      </>,
    )
  }
  if (refundedAmount.amount > 0) {
    const amount = format.money(refundedAmount)
    const card = payment?.card
    if (card)
      return say(
        'success',
        <Trans>
          {amount} went back to your card ending in {card.lastFour}.
        </Trans>,
      )
    return order.method === 'BANK'
      ? say('success', <Trans>{amount} went back to the account you named.</Trans>)
      : say('success', <Trans>{amount} went back to you.</Trans>)
  }
  if (status === 'CANCEL_COMPLETE') return say('success', <Trans>The order is cancelled. Nothing was charged.</Trans>)
  if (refund?.outcome === 'TAKEN_BACK') {
    return say('info', <Trans>You took your request back. What you bought stays yours.</Trans>)
  }
  return <WhyNot order={order} />
}

/** Why there is nothing to cancel. */
function WhyNot({ order }: { order: Order }) {
  const { refundDays } = useSiteSettings().order
  switch (order.cancel.why) {
    case 'NOT_PAID':
      return say('info', <Trans>Nothing was paid, so there is nothing to give back.</Trans>)
    case 'ALL_OPENED':
      return say('info', <Trans>All of it was opened, and what was opened can no longer be refunded.</Trans>)
    case 'TOO_LATE':
      return say(
        'info',
        <Trans>
          The <Plural value={refundDays} one="# day" other="# days" /> in which it could be refunded are over.
        </Trans>,
      )
    case 'UNDER_WAY':
      return say('info', <Trans>Money of this order is on its way at the moment. Look again in a minute.</Trans>)
    case 'DONE':
      return say('info', <Trans>All of it went back already.</Trans>)
    default:
      return say('info', <Trans>Nothing of this order was cancelled.</Trans>)
  }
}

const say = (tone: NonNullable<NoticeProps['tone']>, words: ReactNode) => <Notice tone={tone}>{words}</Notice>

const ends = ['REFUNDED', 'PARTLY_REFUNDED', 'CANCEL_REJECTED', 'CANCEL_TAKEN_BACK', 'CANCELLED']

function RefundFacts({ order }: { order: Order }) {
  const { t, i18n } = useLingui()
  const format = useFormat()
  const { refund, timeline, items } = order
  if (!refund) return null
  const asked = timeline.findLast(({ type }) => type === 'CANCEL_REQUESTED')
  const ended = refund.outcome ? timeline.findLast(({ type }) => ends.includes(type)) : undefined
  const titles = items.filter(({ id }) => refund.itemIds.includes(id)).map(({ product }) => product.title)
  const list = new Intl.ListFormat(i18n.locale).format(titles)
  const rows = [
    ...(list ? [{ key: 'items', term: t`What`, value: list }] : []),
    { key: 'amount', term: t`Amount`, value: format.money(refund.amount) },
    ...(asked ? [{ key: 'asked', term: t`Asked for on`, value: format.dateTime(asked.at) }] : []),
    ...(ended ? [{ key: 'ended', term: t`Settled on`, value: format.dateTime(ended.at) }] : []),
    ...(refund.reason ? [{ key: 'reason', term: t`Your reason`, value: <span dir="auto">{refund.reason}</span> }] : []),
  ]
  return <DescriptionList rows={rows} className={styles.facts} />
}
