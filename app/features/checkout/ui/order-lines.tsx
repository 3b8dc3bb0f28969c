import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Money } from '#contract/money.ts'
import { useOptionWords } from '~/features/cart/use-option-words'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Picture } from '~/ui/picture'
import type { CheckoutLine } from '../checkout-lines'
import styles from './order-lines.module.css'

/** What will be bought, with each price and the sum. */
export function OrderLines({ lines, total }: { lines: readonly CheckoutLine[]; total: Money }) {
  const format = useFormat()
  const optionWords = useOptionWords()
  return (
    <section aria-labelledby="items">
      <div className={styles.head}>
        <h2 id="items" className={styles.heading}>
          <Trans>Order summary</Trans>
        </h2>
        {lines.every(({ cartItemId }) => cartItemId) && (
          <Link className={styles.change} to="/carts">
            <Trans>Change</Trans>
          </Link>
        )}
      </div>
      <ul className={styles.lines}>
        {lines.map(({ product, option }) => (
          <li key={option.id} className={styles.line}>
            <Picture picture={product.poster} sizes="6rem" ratio={16 / 9} decorative />
            <div className={styles.words}>
              <p className={styles.title}>{storeText(product, 'title')}</p>
              <p className={styles.option}>{storeText(option, 'name')}</p>
              <p className={styles.meaning}>{optionWords(option)}</p>
            </div>
            <p className={styles.price}>{format.money(option.price)}</p>
          </li>
        ))}
      </ul>
      <p className={styles.total}>
        <span>
          <Trans>Total (taxes included)</Trans>
        </span>
        <output>{format.money(total)}</output>
      </p>
    </section>
  )
}
