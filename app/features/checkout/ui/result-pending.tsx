import { Trans } from '@lingui/react/macro'
import { Spinner } from '~/ui/spinner'
import pageStyles from './checkout-page.module.css'
import styles from './result-page.module.css'

export function ResultPending() {
  return (
    <div className={pageStyles.page} aria-busy>
      <div className={styles.waiting}>
        <Spinner size="l" />
        <h1 className={styles.title}>
          <Trans>We are confirming your payment.</Trans>
        </h1>
      </div>
    </div>
  )
}
