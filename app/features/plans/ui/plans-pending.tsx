import { Skeleton } from '~/ui/skeleton'
import styles from './plans-page.module.css'

const places = ['a', 'b', 'c']

/** The comparison's shape, while it is on its way. */
export function PlansPending() {
  return (
    <div className={styles.page} aria-busy>
      <div className={styles.head}>
        <Skeleton width="18rem" height="2.5rem" />
        <Skeleton width="24rem" height="1.5rem" />
      </div>
      <ul className={styles.plans}>
        {places.map((place) => (
          <li key={place} className={styles.plan}>
            <Skeleton height="26rem" />
          </li>
        ))}
      </ul>
    </div>
  )
}
