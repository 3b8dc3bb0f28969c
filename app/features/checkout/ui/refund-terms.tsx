import { Plural, Trans } from '@lingui/react/macro'
import type { Money } from '#contract/money.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { Icon } from '~/ui/icon'
import { ByMethod } from './by-method'
import styles from './refund-terms.module.css'

/** What comes back, in money, and until when; the store's own terms below. */
export function RefundTerms({ total }: { total: Money }) {
  const format = useFormat()
  const { refundPolicy, refundDays } = useSiteSettings().order
  if (total.amount === 0) return null
  return (
    <section className={styles.terms} aria-labelledby="refund">
      <Icon name="retry" size="m" />
      <div>
        <h2 id="refund" className={styles.title}>
          <Trans>
            {format.money(total)} back within <Plural value={refundDays} one="# day" other="# days" />, until you begin
            to watch.
          </Trans>
        </h2>
        <p className={styles.text}>
          <Trans>Each title counts by itself: what you have not opened can still be refunded.</Trans>{' '}
          <ByMethod
            card={<Trans>The money goes back to your card as soon as you ask for it.</Trans>}
            bank={<Trans>A person at the store confirms it, and the money goes to a bank account you name.</Trans>}
          />
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
