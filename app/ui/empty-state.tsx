import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './empty-state.module.css'
import { Icon } from './icon'
import type { IconName } from './icon-shapes'

export interface EmptyStateProps {
  icon: IconName
  title: ReactNode
  /** Why there is nothing, or what would be here. */
  children?: ReactNode
  /** What to do next: a Button or two. */
  actions?: ReactNode
  headingLevel?: 'h1' | 'h2' | 'h3' | undefined
  /** Less air, inside a card or a drawer. */
  compact?: boolean | undefined
}

/** An empty list, and the way on from it. */
export function EmptyState({ icon, title, children, actions, headingLevel, compact }: EmptyStateProps) {
  const Heading = headingLevel ?? 'h2'
  return (
    <div className={classNames(styles.state, compact && styles.compact)}>
      <span className={styles.mark}>
        <Icon name={icon} size="l" />
      </span>
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
