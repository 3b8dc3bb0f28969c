import { Trans } from '@lingui/react/macro'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visually-hidden'
import styles from './product-page.module.css'

/** A product's page while it is on its way. */
export function ProductSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <VisuallyHidden>
        <Trans>The product is loading.</Trans>
      </VisuallyHidden>
      <div className={styles.stage}>
        <div className={styles.way}>
          <Skeleton width="16rem" height="1.25rem" />
        </div>
        <Skeleton ratio={16 / 9} />
        <div className={styles.side}>
          <Skeleton width="85%" height="2.5rem" />
          <SkeletonText lines={2} />
          <Skeleton height="15rem" />
        </div>
      </div>
    </div>
  )
}
