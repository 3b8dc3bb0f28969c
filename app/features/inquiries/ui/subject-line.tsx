import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { OrderCode } from '#contract/ids.ts'
import type { TextLanguages } from '#contract/translations.ts'
import { leftToRight, useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Icon } from '~/ui/icon'
import styles from './inquiry-form.module.css'

interface Props {
  product: { code: string; title: string; languages?: TextLanguages } | null
  order: OrderCode | null | undefined
  /** Where in the video. */
  seconds: number | null | undefined
}

/** What an inquiry is about: a title, a moment of it, an order. */
export function SubjectLine({ product, order, seconds }: Props) {
  const format = useFormat()
  if (!product && !order) return null
  const hasTime = seconds !== null && seconds !== undefined
  return (
    <ul className={styles.subject}>
      {product && (
        <li>
          <Icon name="film" size="s" />
          <Link to="/products/$code" params={{ code: product.code }}>
            {storeText(product, 'title')}
          </Link>
        </li>
      )}
      {product && hasTime && (
        <li>
          <Icon name="clock" size="s" />
          <Trans>at {format.duration(seconds)}</Trans>
        </li>
      )}
      {order && (
        <li>
          <Icon name="receipt" size="s" />
          <Link to="/mypages/order-histories/$code" params={{ code: order }}>
            <Trans>Order {leftToRight(order)}</Trans>
          </Link>
        </li>
      )}
    </ul>
  )
}
