import type { ReactNode } from 'react'
import styles from './table.module.css'
import { VisuallyHidden } from './visually-hidden'

export interface TableProps {
  /** What the table holds, spoken only. */
  caption: string
  /** `<thead>` and `<tbody>`; cells with `data-amount` are set at the far edge. */
  children: ReactNode
}

/** A plain table that scrolls in its frame where the page is narrow. */
export function Table({ caption, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={styles.frame} aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        {children}
      </table>
    </section>
  )
}
