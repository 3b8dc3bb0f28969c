import { Trans } from '@lingui/react/macro'
import { PosterGrid } from '~/ui/poster-grid'
import { PosterCardSkeleton, Skeleton, SkeletonText } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visibility'
import styles from './products-page.module.css'

const places = Array.from({ length: 12 }, (_, place) => place)

/** A list while it is on its way. */
export function ProductsSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <VisuallyHidden>
        <Trans>Loading results…</Trans>
      </VisuallyHidden>
      <div className={styles.head}>
        <Skeleton width="14rem" height="2.5rem" />
      </div>
      <div className={styles.columns}>
        <div className={styles.filterSkeletons}>
          <SkeletonText lines={6} />
          <SkeletonText lines={4} />
        </div>
        <PosterGrid>
          {places.map((place) => (
            <li key={place}>
              <PosterCardSkeleton />
            </li>
          ))}
        </PosterGrid>
      </div>
    </div>
  )
}
