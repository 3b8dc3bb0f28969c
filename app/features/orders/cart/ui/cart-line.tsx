import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import type { CartItem } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { storeText } from '~/platform/i18n/store-text'
import { IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { classNames } from '~/ui/element'
import { Picture } from '~/ui/picture'
import { Price } from '~/ui/price'
import { isPending, useRentalTerms } from '../use-cart'
import styles from './cart-line.module.css'

interface Props {
  item: CartItem
  onRemove: (item: CartItem) => void
}

/** One line of the cart: product, option and price, or why it cannot be bought. */
export function CartLine({ item, onRemove }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  const rentalTerms = useRentalTerms()(item.option)
  const { product, option, price, priceBefore, blocked } = item
  const before = priceBefore ?? (option.listPrice && option.listPrice.amount > price.amount ? option.listPrice : null)
  const reduced = before !== null && before.amount > price.amount
  const remove = (event: FormEvent) => {
    event.preventDefault()
    onRemove(item)
  }

  return (
    <li className={classNames(styles.line, blocked && styles.blocked)} aria-busy={isPending(item) || undefined}>
      <Picture className={styles.poster} picture={product.poster} sizes="11rem" ratio={16 / 9} decorative />
      <div className={styles.words}>
        <h2 className={styles.title}>
          <Link className={styles.link} to="/products/$code" params={{ code: product.code }}>
            {storeText(product, 'title')}
          </Link>
        </h2>
        <p className={styles.option} lang={langOf(option, 'name')} dir="auto">
          {option.name}
        </p>
        {rentalTerms && <p className={styles.meaning}>{rentalTerms}</p>}
        {blocked && <BlockedReason blocked={blocked} code={product.code} />}
        {!blocked && priceBefore && priceBefore.amount !== price.amount && (
          <p className={styles.changed}>
            <Trans>
              The price changed from {format.money(priceBefore)} to {format.money(price)}.
            </Trans>
          </p>
        )}
      </div>
      <div className={styles.end}>
        <Price
          amount={format.money(price)}
          list={reduced && !blocked ? { amount: format.money(before), label: t`Original price:` } : undefined}
          inactive={blocked !== null}
        />
        <form method="post" onSubmit={remove}>
          <input type="hidden" name="intent" value="remove" />
          <input type="hidden" name="id" value={item.id} />
          <IconButton
            type="submit"
            icon="trash"
            size="s"
            label={t`Remove ${product.title} from cart`}
            disabled={isPending(item)}
          />
        </form>
      </div>
    </li>
  )
}

function BlockedReason({ blocked, code }: { blocked: NonNullable<CartItem['blocked']>; code: string }) {
  switch (blocked) {
    case 'OWNED':
      return (
        <p className={styles.reason}>
          <Badge tone="success" icon="check">
            <Trans>You already own this</Trans>
          </Badge>
          <Link className={styles.watch} to="/products/$code/watch" params={{ code }}>
            <Trans>Watch now</Trans>
          </Link>
        </p>
      )
    case 'INCLUDED_IN_PLAN':
      return (
        <p className={styles.reason}>
          <Badge tone="success" icon="check">
            <Trans>Included in your plan</Trans>
          </Badge>
          <Link className={styles.watch} to="/products/$code/watch" params={{ code }}>
            <Trans>Watch now</Trans>
          </Link>
        </p>
      )
    case 'ENDED':
      return (
        <p className={styles.reason}>
          <Badge tone="warning" icon="clock">
            <Trans>No longer available</Trans>
          </Badge>
        </p>
      )
    case 'NOT_READY':
      return (
        <p className={styles.reason}>
          <Badge tone="warning" icon="clock">
            <Trans>Not available yet</Trans>
          </Badge>
        </p>
      )
    default:
      return blocked satisfies never
  }
}
