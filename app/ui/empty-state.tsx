import type { ReactNode } from 'react'
import { Button } from './button'
import { classNames } from './element'
import styles from './empty-state.module.css'
import { Icon, type IconName } from './icon'

export interface EmptyStateProps {
  icon: IconName
  title: ReactNode
  /** Why the list is empty, or what it will contain. */
  children?: ReactNode
  /** One or two Buttons. */
  actions?: ReactNode
  headingLevel?: 'h1' | 'h2' | 'h3' | undefined
  /** Less spacing, inside a card or a drawer. */
  compact?: boolean | undefined
}

/** The state of an empty list, with next steps. */
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
  /** What failed. */
  title: ReactNode
  children?: ReactNode
  retry?: { label: string; onRetry: () => void; pending?: boolean | undefined } | undefined
  /** Other actions, such as "Go home". */
  actions?: ReactNode
  /** Details for support, such as a request id. */
  detail?: ReactNode
  headingLevel?: 'h1' | 'h2' | 'h3' | undefined
  compact?: boolean | undefined
}

/** The state of a section that could not be loaded, announced, with a retry. */
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
