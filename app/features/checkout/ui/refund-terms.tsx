import { Trans } from '@lingui/react/macro'
import type { Money } from '#contract/money.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { Icon } from '~/ui/icon'
import styles from './refund-terms.module.css'

/** What comes back, in money, and until when; the store's own terms below. */
export function RefundTerms({ total }: { total: Money }) {
  const format = useFormat()
  const { refundPolicy } = useSiteSettings().order
  if (total.amount === 0) return null
  return (
    <section className={styles.terms} aria-labelledby="refund">
      <Icon name="retry" size="m" />
      <div>
        <h2 id="refund" className={styles.title}>
          <Trans>{format.money(total)} back within 7 days, until you begin to watch.</Trans>
        </h2>
        <p className={styles.text}>
          <Trans>Each title counts by itself: what you have not opened can still be refunded.</Trans>
        </p>
        {refundPolicy.text && (
          <details className={styles.policy}>
            <summary>
              <Trans>The refund terms in full</Trans>
            </summary>
            <p>{refundPolicy.text}</p>
          </details>
        )}
      </div>
    </section>
  )
}
