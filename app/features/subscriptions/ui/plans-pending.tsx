import { PosterCardSkeleton, PosterGrid } from '~/ui/poster-grid'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import planPaymentPageStyles from './plan-payment-page.module.css'
import planProductsPageStyles from './plan-products-page.module.css'
import styles from './plans-page.module.css'
import subscriptionPageStyles from './subscription-page.module.css'

const planPlaces = ['a', 'b', 'c']

/** The skeleton of the plan comparison. */
export function PlansPending() {
  return (
    <div className={styles.page} aria-busy>
      <div className={styles.head}>
        <Skeleton width="18rem" height="2.5rem" />
        <Skeleton width="24rem" height="1.5rem" />
      </div>
      <ul className={styles.plans}>
        {planPlaces.map((place) => (
          <li key={place} className={styles.plan}>
            <Skeleton height="26rem" />
          </li>
        ))}
      </ul>
    </div>
  )
}

const tilePlaces = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

/** The skeleton of a product list. */
export function PlanProductsPending() {
  return (
    <div className={planProductsPageStyles.page} aria-busy>
      <Skeleton width="18rem" height="2.5rem" />
      <br />
      <PosterGrid>
        {tilePlaces.map((place) => (
          <li key={place}>
            <PosterCardSkeleton />
          </li>
        ))}
      </PosterGrid>
    </div>
  )
}

/** The skeleton of the payment page. */
export function PlanPaymentPending() {
  return (
    <div className={planPaymentPageStyles.page} aria-busy>
      <Skeleton width="16rem" height="2.5rem" />
      <div className={planPaymentPageStyles.summary}>
        <SkeletonText lines={4} />
      </div>
      <div className={planPaymentPageStyles.charges}>
        <SkeletonText lines={3} />
      </div>
      <Skeleton height="8rem" />
    </div>
  )
}

/** The skeleton of the subscription page. */
export function SubscriptionPending() {
  return (
    <div className={subscriptionPageStyles.page} aria-busy>
      <Skeleton width="16rem" height="2.5rem" />
      <Skeleton height="16rem" />
      <Skeleton width="20rem" height="2.5rem" />
    </div>
  )
}
