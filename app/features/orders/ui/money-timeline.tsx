import { useLingui } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'
import { usePaymentFailure } from '~/features/checkout/use-payment-failure'
import { useFormat } from '~/platform/format/use-format'
import { classNames } from '~/ui/element'
import { eventWords } from '../order-words'
import styles from './money-timeline.module.css'

type OrderEvent = Order['timeline'][number]

/** Money that went back, out of the store. */
const back: readonly OrderEvent['type'][] = [
  'REFUNDED',
  'PARTLY_REFUNDED',
  'UNAPPLIED_PAYMENT_REFUNDED',
  'DEPOSIT_REVERSED',
]

/** What a person wrote: the member's reason, the operator's answer. */
const written: readonly OrderEvent['type'][] = ['CANCEL_REQUESTED', 'CANCEL_REJECTED']

/** Each thing that happened to the order's money, with its time and its amount. */
export function MoneyTimeline({ order }: { order: Order }) {
  const { i18n } = useLingui()
  const format = useFormat()
  return (
    <ol className={styles.timeline}>
      {order.timeline.map((event, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what has happened keeps its place.
        <li key={at} className={classNames(styles.event, styles[event.type.toLowerCase()])}>
          <span className={styles.what}>{i18n._(eventWords[event.type])}</span>
          <time className={styles.when} dateTime={event.at}>
            {format.dateTime(event.at)}
          </time>
          <Detail event={event} />
          {event.amount && (
            <span className={styles.amount}>
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

/** Why it failed, or what a person wrote; codes of the provider's are not for reading. */
function Detail({ event: { type, detail } }: { event: OrderEvent }) {
  const failure = usePaymentFailure()
  if (!detail) return null
  if (type === 'FAILED') return <span className={styles.detail}>{failure(detail)}</span>
  if (!written.includes(type)) return null
  return (
    <span className={styles.detail} dir="auto">
      {detail}
    </span>
  )
}
