import { Trans } from '@lingui/react/macro'
import { PosterCardSkeleton, Skeleton } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visibility'
import styles from './home-page.module.css'

/** The home page while it is on its way. */
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
