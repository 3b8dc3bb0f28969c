import { Trans } from '@lingui/react/macro'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import { VisuallyHidden } from '~/ui/visibility'
import page from './text-page.module.css'

/** Placeholder of a text page while it loads. */
export function TextSkeleton() {
  return (
    <div className={page.page} aria-busy>
      <VisuallyHidden>
        <Trans>Loading page…</Trans>
      </VisuallyHidden>
      <Skeleton width="60%" height="2.5rem" />
      <SkeletonText lines={6} />
      <SkeletonText lines={4} />
    </div>
  )
}
