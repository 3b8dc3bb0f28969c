import type { ReactNode } from 'react'
import styles from './divider.module.css'

/** A line, or a word between two lines, such as "or". */
export function Divider({ children }: { children?: ReactNode }) {
  if (children) return <div className={styles.named}>{children}</div>
  return <hr className={styles.divider} />
}
