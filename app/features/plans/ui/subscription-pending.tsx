import { Skeleton } from '~/ui/skeleton'
import styles from './subscription-page.module.css'

/** The subscription's shape, while it is on its way. */
export function SubscriptionPending() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton width="16rem" height="2.5rem" />
      <Skeleton height="16rem" />
      <Skeleton width="20rem" height="2.5rem" />
    </div>
  )
}
