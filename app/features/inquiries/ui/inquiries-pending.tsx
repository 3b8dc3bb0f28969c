import { Skeleton, SkeletonText } from '~/ui/skeleton'
import styles from './inquiry-list.module.css'

const places = ['a', 'b', 'c', 'd']

/** Placeholder of the inquiries while they load. */
export function InquiriesPending() {
  return (
    <div aria-busy>
      <Skeleton width="14rem" height="2.5rem" />
      <ul className={styles.list}>
        {places.map((place) => (
          <li key={place} className={styles.row}>
            <SkeletonText lines={3} />
          </li>
        ))}
      </ul>
    </div>
  )
}
