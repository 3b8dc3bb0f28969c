import { PosterGrid } from '~/ui/poster-grid'
import { PosterCardSkeleton, Skeleton } from '~/ui/skeleton'

const places = ['a', 'b', 'c', 'd', 'e', 'f']

/** Placeholder of a list while it loads. */
export function AccountPending() {
  return (
    <div aria-busy>
      <Skeleton width="14rem" height="2.5rem" />
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
