import { PaymentConfirming } from '~/parts/payment-confirming'
import styles from './plan-result-page.module.css'

export function PlanResultPending() {
  return (
    <div className={styles.page} aria-busy>
      <PaymentConfirming />
    </div>
  )
}
