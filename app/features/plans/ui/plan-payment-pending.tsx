import { Skeleton, SkeletonText } from '~/ui/skeleton'
import styles from './plan-payment-page.module.css'

/** The payment page's shape, while it is on its way. */
export function PlanPaymentPending() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton width="16rem" height="2.5rem" />
      <div className={styles.summary}>
        <SkeletonText lines={4} />
      </div>
      <div className={styles.charges}>
        <SkeletonText lines={3} />
      </div>
      <Skeleton height="8rem" />
    </div>
  )
}
