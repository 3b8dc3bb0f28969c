import type { ReactNode } from 'react'
import { classNames } from './class-names'
import { Icon } from './icon'
import type { IconName } from './icon-shapes'
import styles from './outcome.module.css'
import { Spinner } from './spinner'

export interface OutcomeProps {
  /** What came of it; while nothing did, something turns. */
  mark: { icon: IconName; failed?: boolean } | 'waiting'
  title: ReactNode
  /** Why it failed, as a sentence. */
  reason?: ReactNode
  children?: ReactNode
  /** Where to go from here: a Button or two. */
  actions?: ReactNode
  /** Below all. */
  note?: ReactNode
}

/** What came of something that was asked for with money: the head of a page of its own. */
export function Outcome({ mark, title, reason, children, actions, note }: OutcomeProps) {
  return (
    <header className={styles.outcome}>
      {mark === 'waiting' ? (
        <Spinner size="l" />
      ) : (
        <span className={classNames(styles.mark, mark.failed && styles.failed)}>
          <Icon name={mark.icon} size="xl" />
        </span>
      )}
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      {reason && <p className={styles.reason}>{reason}</p>}
      {children && <p className={styles.text}>{children}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
      {note}
    </header>
  )
}
