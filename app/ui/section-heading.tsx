import type { ReactNode, Ref } from 'react'
import breadcrumbsStyles from './breadcrumbs.module.css'
import { classNames } from './element'
import { Icon } from './icon'
import styles from './section-heading.module.css'

export interface SectionHeadingProps {
  title: ReactNode
  /** `h1` is the page's heading, larger. */
  level?: 'h1' | 'h2' | 'h3' | undefined
  /** The number of items. */
  count?: ReactNode
  text?: ReactNode
  /** At the end of the title: a link, a sort menu. */
  action?: ReactNode
  id?: string | undefined
  /** The ref of the heading. An `h1` is focusable. */
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

export interface BreadcrumbsProps {
  /** The accessible name. */
  label: string
  /** `<li>` elements with a link each, from the root. */
  children: readonly ReactNode[]
}

/** The path from the root to the current page. */
export function Breadcrumbs({ label, children }: BreadcrumbsProps) {
  return (
    <nav aria-label={label} className={breadcrumbsStyles.breadcrumbs}>
      <ol className={breadcrumbsStyles.list}>
        {children.map((child, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are never reordered.
          <li key={at} className={breadcrumbsStyles.step}>
            {at > 0 && <Icon name="chevron-end" size="s" />}
            {child}
          </li>
        ))}
      </ol>
    </nav>
  )
}
