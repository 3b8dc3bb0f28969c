import { Skeleton, SkeletonText } from '~/ui/skeleton'
import lineStyles from './cart-line.module.css'
import styles from './cart-page.module.css'

const lines = ['first', 'second', 'third']

/** Placeholder of the cart while it loads. */
export function CartPending() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton width="12rem" height="2.5rem" />
      <div className={styles.columns}>
        <ul className={styles.lines}>
          {lines.map((line) => (
            <li key={line} className={lineStyles.line}>
              <Skeleton ratio={16 / 9} />
              <SkeletonText lines={3} />
              <Skeleton width="4rem" height="1.25rem" />
            </li>
          ))}
        </ul>
        <Skeleton height="14rem" />
      </div>
    </div>
  )
}
