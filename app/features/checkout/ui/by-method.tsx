import type { ReactNode } from 'react'
import styles from './by-method.module.css'

/** Words of which those for the chosen method are shown: the form itself knows which that is, with script and without. */
export function ByMethod({ card, bank }: { card: ReactNode; bank: ReactNode }) {
  return (
    <>
      <span className={styles.card}>{card}</span>
      <span className={styles.bank}>{bank}</span>
    </>
  )
}
