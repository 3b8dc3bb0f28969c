import type { ReactNode } from 'react'
import { Spinner } from './button'
import { classNames } from './element'
import { Icon, type IconName } from './icon'
import styles from './notice.module.css'
import outcomeStyles from './outcome.module.css'

export interface NoticeProps {
  tone?: 'info' | 'success' | 'warning' | 'danger' | undefined
  /** Announced at once: something went wrong just now. */
  urgent?: boolean | undefined
  children: ReactNode
  className?: string | undefined
}

const icons = { info: 'info', success: 'success', warning: 'warning', danger: 'error' } as const

/** A sentence about the part of the page it stands in, that stays as long as it is true. */
export function Notice({ tone = 'info', urgent, children, className }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, styles[tone], className)} role={urgent ? 'alert' : 'status'}>
      <Icon name={icons[tone]} size="m" />
      <div className={styles.text}>{children}</div>
    </div>
  )
}

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
    <header className={outcomeStyles.outcome}>
      {mark === 'waiting' ? (
        <Spinner size="l" />
      ) : (
        <span className={classNames(outcomeStyles.mark, mark.failed && outcomeStyles.failed)}>
          <Icon name={mark.icon} size="xl" />
        </span>
      )}
      <h1 className={outcomeStyles.title} tabIndex={-1}>
        {title}
      </h1>
      {reason && <p className={outcomeStyles.reason}>{reason}</p>}
      {children && <p className={outcomeStyles.text}>{children}</p>}
      {actions && <div className={outcomeStyles.actions}>{actions}</div>}
      {note}
    </header>
  )
}
