import { Plural, Trans } from '@lingui/react/macro'
import type { Product, ProductOption } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Icon } from '~/ui/icon'
import styles from './buy-panel.module.css'

/** What comes back and until when, in money, beside the button; the store's whole terms below. */
export function RefundTerms({ product, option }: { product: Product; option: ProductOption }) {
  const format = useFormat()
  const { order, languages } = useSiteSettings()
  const { refundPolicy, refundDays } = order
  const { text } = refundPolicy
  const price = format.money(option.price)
  return (
    <div className={styles.refund}>
      <Icon name="retry" size="s" />
      <div>
        {product.lessonCount > 1 ? (
          <Trans>
            {price} refund within <Plural value={refundDays} one="# day" other="# days" /> if you haven’t opened any
            part. Parts you haven’t opened stay refundable.
          </Trans>
        ) : (
          <Trans>
            {price} refund within <Plural value={refundDays} one="# day" other="# days" /> if you haven’t started
            watching or downloading.
          </Trans>
        )}
        {text && (
          <details className={styles.terms}>
            <summary>
              <Trans>Refund policy</Trans>
            </summary>
            <p lang={languages['order.refundPolicy.text']} dir="auto">
              {text}
            </p>
          </details>
        )}
      </div>
    </div>
  )
}
