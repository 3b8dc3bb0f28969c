import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Order } from '#contract/orders.ts'
import { useWatchButton } from '~/features/playback/use-watch-links'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { Picture } from '~/ui/picture'
import styles from './order-detail.module.css'

type OrderItem = Order['items'][number]

export function OrderItems({ order }: { order: Order }) {
  const format = useFormat()
  const opening = useWatchButton()
  const paid = order.status === 'PAYMENT_COMPLETE'
  const refundRequested = order.status === 'CANCEL_REQUEST' ? (order.refund?.itemIds ?? []) : []
  return (
    <ul className={styles.items}>
      {order.items.map((item) => (
        <li key={item.id} className={styles.item}>
          <Picture picture={item.product.poster} sizes="10rem" ratio={16 / 9} decorative />
          <div className={styles.words}>
            <h2 className={styles.name}>
              <Link className={styles.nameLink} to="/products/$code" params={{ code: item.product.code }}>
                {storeText(item.product, 'title')}
              </Link>
            </h2>
            <p className={styles.soft}>{storeText(item, 'optionName')}</p>
            <ItemState item={item} paid={paid} refundRequested={refundRequested.includes(item.id)} />
          </div>
          <div className={styles.itemEnd}>
            <span className={item.refunded ? styles.refunded : styles.amount}>{format.money(item.price)}</span>
            {paid && !item.refunded && item.product.ready && <Button size="s" {...opening(item.product)} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** `refundRequested`: locked until the request is decided. */
function ItemState({ item, paid, refundRequested }: { item: OrderItem; paid: boolean; refundRequested: boolean }) {
  const format = useFormat()
  if (item.refunded) {
    return (
      <Badge tone="neutral">
        <Trans>Refunded</Trans>
      </Badge>
    )
  }
  if (refundRequested) {
    return (
      <p className={styles.state}>
        <Trans>Refund requested, so this is locked for now</Trans>
      </p>
    )
  }
  if (!paid) return null
  if (!item.product.ready) {
    return (
      <p className={styles.state}>
        <Trans>Not ready yet. We’ll have it here for you as soon as it is, or you can request a refund.</Trans>
      </p>
    )
  }
  if (item.accessUntil) {
    return (
      <p className={styles.state}>
        <Trans>Available until {format.dateTime(item.accessUntil)}</Trans>
      </p>
    )
  }
  return (
    <p className={styles.state}>
      {item.opened ? (
        <Trans comment="A purchased title: it has been played or downloaded">Opened</Trans>
      ) : (
        <Trans comment="A purchased title: it has not been played or downloaded">Not opened yet</Trans>
      )}
    </p>
  )
}
