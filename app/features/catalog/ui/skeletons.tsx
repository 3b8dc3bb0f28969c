import { Trans } from '@lingui/react/macro'
import { PosterCardSkeleton, PosterGrid } from '~/ui/poster-grid'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visibility'
import styles from './home-page.module.css'
import productsPageStyles from './products-page.module.css'

/** Placeholder of the home page while it loads. */
export function HomeSkeleton() {
  return (
    <div aria-busy>
      <VisuallyHidden>
        <Trans>Loading page…</Trans>
      </VisuallyHidden>
      <div className={styles.heroSkeleton} />
      <div className={styles.sections}>
        <RailSkeleton />
        <RailSkeleton />
      </div>
    </div>
  )
}

function RailSkeleton() {
  return (
    <div className={styles.railSkeleton}>
      <Skeleton width="12rem" height="1.75rem" />
      <div className={styles.railCards}>
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <PosterCardSkeleton key={key} />
        ))}
      </div>
    </div>
  )
}

const places = Array.from({ length: 12 }, (_, place) => place)

/** Placeholder of a product list while it loads. */
export function ProductsSkeleton() {
  return (
    <div className={productsPageStyles.page} aria-busy>
      <VisuallyHidden>
        <Trans>Loading results…</Trans>
      </VisuallyHidden>
      <div className={productsPageStyles.head}>
        <Skeleton width="14rem" height="2.5rem" />
      </div>
      <div className={productsPageStyles.columns}>
        <div className={productsPageStyles.filterSkeletons}>
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
