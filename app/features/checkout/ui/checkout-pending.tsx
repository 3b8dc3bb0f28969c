import { PaymentConfirming } from '~/parts/payment-confirming'
import { Skeleton, SkeletonText } from '~/ui/skeleton'
import styles from './checkout-page.module.css'
import lineStyles from './order-lines.module.css'

/** Placeholder of the checkout while it loads. */
export function CheckoutPending() {
  return (
    <div className={styles.page} aria-busy>
      <Skeleton width="12rem" height="2.5rem" />
      <div className={lineStyles.line}>
        <Skeleton ratio={16 / 9} />
        <SkeletonText lines={2} />
        <Skeleton width="4rem" height="1.25rem" />
      </div>
      <Skeleton height="6rem" />
    </div>
  )
}

export function ResultPending() {
  return (
    <div className={styles.page} aria-busy>
      <PaymentConfirming />
    </div>
  )
}
