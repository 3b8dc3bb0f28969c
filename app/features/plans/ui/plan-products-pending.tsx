import { PosterGrid } from '~/ui/poster-grid'
import { PosterCardSkeleton, Skeleton } from '~/ui/skeleton'
import styles from './plan-products-page.module.css'

const places = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

/** A list's shape, while it is on its way. */
export function PlanProductsPending() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton width="18rem" height="2.5rem" />
      <br />
      <PosterGrid>
        {places.map((place) => (
          <li key={place}>
            <PosterCardSkeleton />
          </li>
        ))}
      </PosterGrid>
    </div>
  )
}
