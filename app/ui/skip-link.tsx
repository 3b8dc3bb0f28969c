import type { ReactNode } from 'react'
import styles from './skip-link.module.css'

/** First on the page, seen when focused. `target` is the id of `<main tabIndex={-1}>`. */
export function SkipLink({ target, children }: { target: string; children: ReactNode }) {
  return (
    <a className={styles.link} href={`#${target}`}>
      {children}
    </a>
  )
}
