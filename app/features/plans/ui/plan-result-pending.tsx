import { useConfirming } from '~/features/checkout/use-confirming'
import styles from './plan-result-page.module.css'

export function PlanResultPending() {
  return (
    <div className={styles.page} aria-busy>
      {useConfirming(styles.link)}
    </div>
  )
}
