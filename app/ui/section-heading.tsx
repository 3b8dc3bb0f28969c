import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './section-heading.module.css'

export interface SectionHeadingProps {
  title: ReactNode
  /** `h1` is the page's own, larger. */
  level?: 'h1' | 'h2' | 'h3' | undefined
  /** How many follow. */
  count?: ReactNode
  text?: ReactNode
  /** Across from the title: a link, a sort menu. */
  action?: ReactNode
  id?: string | undefined
}

export function SectionHeading({ title, level: Level = 'h2', count, text, action, id }: SectionHeadingProps) {
  return (
    <header className={classNames(styles.head, Level === 'h1' && styles.page)}>
      <div className={styles.words}>
        <Level className={styles.title} id={id} tabIndex={Level === 'h1' ? -1 : undefined}>
          {title}
          {count !== undefined && count !== null && <span className={styles.count}>{count}</span>}
        </Level>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {action}
    </header>
  )
}
