import { Skeleton } from '~/ui/skeleton'
import styles from './cards-page.module.css'

/** Placeholder of the cards page while it loads. */
export function CardsPending() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton width="12rem" height="2.5rem" />
      <br />
      <div className={styles.list}>
        <Skeleton height="5.5rem" />
        <Skeleton height="5.5rem" />
      </div>
    </div>
  )
}
