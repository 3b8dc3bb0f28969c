import { useConfirming } from '../use-confirming'
import pageStyles from './checkout-page.module.css'
import styles from './result-page.module.css'

export function ResultPending() {
  return (
    <div className={pageStyles.page} aria-busy>
      {useConfirming(styles.link)}
    </div>
  )
}
