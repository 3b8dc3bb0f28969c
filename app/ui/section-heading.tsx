import type { ReactNode, Ref } from 'react'
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
  /** Of the heading itself, which an `h1` lets take the focus. */
  headingRef?: Ref<HTMLHeadingElement> | undefined
}

export function SectionHeading({
  title,
  level: Level = 'h2',
  count,
  text,
  action,
  id,
  headingRef,
}: SectionHeadingProps) {
  return (
    <header className={classNames(styles.head, Level === 'h1' && styles.page)}>
      <div className={styles.words}>
        <Level ref={headingRef} className={styles.title} id={id} tabIndex={Level === 'h1' ? -1 : undefined}>
          {title}
          {count !== undefined && count !== null && <span className={styles.count}> {count}</span>}
        </Level>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {action}
    </header>
  )
}
