import { Skeleton } from '~/ui/skeleton'
import styles from './profile.module.css'

/** Placeholder of the profile while it loads. */
export function ProfilePending() {
  return (
    <div aria-busy className={styles.page}>
      <Skeleton width="14rem" height="2.5rem" />
      <Skeleton width="100%" height="28rem" />
      <Skeleton width="100%" height="14rem" />
      <Skeleton width="100%" height="18rem" />
    </div>
  )
}
