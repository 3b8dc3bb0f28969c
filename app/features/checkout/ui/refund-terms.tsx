import { Plural, Trans } from '@lingui/react/macro'
import type { Money } from '#contract/money.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Icon } from '~/ui/icon'
import { ByMethod } from './by-method'
import styles from './refund-terms.module.css'

/** What comes back, in money, and until when; the store's own terms below. */
export function RefundTerms({ total }: { total: Money }) {
  const format = useFormat()
  const { order, languages } = useSiteSettings()
  const { refundPolicy, refundDays } = order
  if (total.amount === 0) return null
  return (
    <section className={styles.terms} aria-labelledby="refund">
      <Icon name="retry" size="m" />
      <div>
        <h2 id="refund" className={styles.title}>
          <Trans>
            {format.money(total)} refund within <Plural value={refundDays} one="# day" other="# days" /> if you haven’t
            started watching.
          </Trans>
        </h2>
        <p className={styles.text}>
          <Trans>Each title is refunded separately. Titles you haven’t opened can still be refunded.</Trans>{' '}
          <ByMethod
            card={<Trans>Refunds go to your card as soon as you request them.</Trans>}
            bank={<Trans>Our team reviews your request, then sends the money to your bank account.</Trans>}
          />
        </p>
        {refundPolicy.text && (
          <details className={styles.policy}>
            <summary>
              <Trans>Full refund policy</Trans>
            </summary>
            <p lang={languages['order.refundPolicy.text']} dir="auto">
              {refundPolicy.text}
            </p>
          </details>
        )}
      </div>
    </section>
  )
}
