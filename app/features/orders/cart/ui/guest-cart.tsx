import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Cart } from '#contract/orders.ts'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { Picture } from '~/ui/picture'
import { buyableLines } from '../cart.functions'
import styles from './guest-cart.module.css'

/** More lines would move the form below out of view. */
const shownLines = 3

/** The guest's cart above the sign-in or sign-up form. Renders nothing for an empty cart. */
export function GuestCart({ cart }: { cart: Cart | null }) {
  const format = useFormat()
  const lines = cart ? buyableLines(cart) : []
  if (!cart || lines.length === 0) return null
  const count = lines.length
  const more = count - shownLines
  return (
    <section className={styles.cart} aria-labelledby="guest-cart">
      <div className={styles.head}>
        <h2 id="guest-cart" className={styles.title}>
          <Trans>In your cart</Trans>
        </h2>
        <span className={styles.count}>
          <Plural value={count} one="# item" other="# items" />
        </span>
      </div>
      <ul className={styles.lines}>
        {lines.slice(0, shownLines).map(({ id, product, option, price }) => (
          <li key={id} className={styles.line}>
            <Picture picture={product.poster} sizes="5rem" ratio={16 / 9} decorative />
            <div className={styles.words}>
              <Link className={styles.name} to="/products/$code" params={{ code: product.code }}>
                <bdi lang={langOf(product, 'title')}>{product.title}</bdi>
              </Link>
              <span className={styles.option} lang={langOf(option, 'name')} dir="auto">
                {option.name}
              </span>
            </div>
            <span className={styles.price}>{format.money(price)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.more}>
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
      <p className={styles.total}>
        <span>
          <Trans>Total</Trans>
        </span>
        <span className={styles.price}>{format.money(cart.total)}</span>
      </p>
      <p className={styles.note}>
        <Trans>Your items stay in your cart when you sign in.</Trans>
      </p>
    </section>
  )
}
