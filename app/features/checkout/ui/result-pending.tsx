import { PaymentConfirming } from '~/parts/payment-confirming'
import styles from './checkout-page.module.css'

export function ResultPending() {
  return (
    <div className={styles.page} aria-busy>
      <PaymentConfirming />
    </div>
  )
}
