import type { ReactNode } from 'react'
import styles from './breadcrumbs.module.css'
import { Icon } from './icon'

export interface BreadcrumbsProps {
  /** How the way is named to those who do not see it. */
  label: string
  /** `<li>` elements with a link each, from the root. */
  children: readonly ReactNode[]
}

/** The way from the root to where one stands. */
export function Breadcrumbs({ label, children }: BreadcrumbsProps) {
  return (
    <nav aria-label={label} className={styles.breadcrumbs}>
      <ol className={styles.list}>
        {children.map((child, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step's place on the way is what it is.
          <li key={at} className={styles.step}>
            {at > 0 && <Icon name="chevron-end" size="s" />}
            {child}
          </li>
        ))}
      </ol>
    </nav>
  )
}
