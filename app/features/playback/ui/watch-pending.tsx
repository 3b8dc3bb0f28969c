import { Skeleton, SkeletonText } from '~/ui/skeleton'
import detailStyles from './watch-details.module.css'
import styles from './watch-page.module.css'

/** The skeleton of the watch page. */
export function WatchPending() {
  return (
    <div className={styles.page} aria-busy>
      <div className={styles.stage} data-theme="dark">
        <div className={styles.alone}>
          <div className={styles.screen}>
            <div className={styles.pending}>
              <Skeleton height="100%" />
            </div>
          </div>
        </div>
      </div>
      <div className={detailStyles.words}>
        <SkeletonText lines={3} />
      </div>
    </div>
  )
}
