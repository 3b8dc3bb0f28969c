import { useLingui } from '@lingui/react/macro'
import type { Order } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { classNames } from '~/ui/class-names'
import { eventWords } from '../order-words'
import styles from './money-timeline.module.css'

const back: readonly string[] = ['REFUNDED', 'CANCELLED']

/** Each thing that happened to the order's money, with its time and its amount. */
export function MoneyTimeline({ order }: { order: Order }) {
  const { i18n } = useLingui()
  const format = useFormat()
  return (
    <ol className={styles.timeline}>
      {order.timeline.map((event) => (
        <li key={`${event.at} ${event.type}`} className={classNames(styles.event, styles[event.type.toLowerCase()])}>
          <span className={styles.what}>{i18n._(eventWords[event.type])}</span>
          <time className={styles.when} dateTime={event.at}>
            {format.dateTime(event.at)}
          </time>
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
