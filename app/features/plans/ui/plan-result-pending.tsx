import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { Spinner } from '~/ui/spinner'
import styles from './plan-result-page.module.css'

/** While the provider has not said. `within`: the page's frame stands already. */
export function PlanResultPending({ within }: { within?: boolean }) {
  const { t } = useLingui()
  const { href } = useLocation()
  const waiting = (
    <div className={styles.outcome} aria-busy>
      <Spinner size="l" />
      <h1 className={styles.title} tabIndex={-1}>
        <Trans>We are confirming your payment.</Trans>
      </h1>
      <p className={styles.soft}>
        <Trans>This takes a few seconds. Please keep this page open.</Trans>
      </p>
      <noscript>
        <a className={styles.link} href={href}>
          {t`Check again`}
        </a>
      </noscript>
    </div>
  )
  return within ? waiting : <div className={styles.page}>{waiting}</div>
}
