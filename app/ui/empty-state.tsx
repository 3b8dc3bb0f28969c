import type { ReactNode } from 'react'
import { Button } from './button'
import { classNames } from './element'
import styles from './empty-state.module.css'
import { Icon, type IconName } from './icon'

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

export interface ErrorStateProps {
  /** What failed, as a sentence. */
  title: ReactNode
  children?: ReactNode
  retry?: { label: string; onRetry: () => void; pending?: boolean | undefined } | undefined
  /** Beside the retry, such as "Go home". */
  actions?: ReactNode
  /** Small print for support: a request id. */
  detail?: ReactNode
  headingLevel?: 'h1' | 'h2' | 'h3' | undefined
  compact?: boolean | undefined
}

/** A part of the page that could not be had, announced, with another try. */
export function ErrorState({ title, children, retry, actions, detail, headingLevel, compact }: ErrorStateProps) {
  const Heading = headingLevel ?? 'h2'
  return (
    <div className={classNames(styles.state, styles.failed, compact && styles.compact)} role="alert">
      <span className={styles.mark}>
        <Icon name="warning" size="l" />
      </span>
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {(retry || actions) && (
        <div className={styles.actions}>
          {retry && (
            <Button icon="retry" onClick={retry.onRetry} loading={retry.pending}>
              {retry.label}
            </Button>
          )}
          {actions}
        </div>
      )}
      {detail && <p className={styles.detail}>{detail}</p>}
    </div>
  )
}
