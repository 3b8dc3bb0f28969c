import type { ReactNode } from 'react'
import { Spinner } from './button'
import { classNames } from './element'
import { Icon, type IconName } from './icon'
import styles from './notice.module.css'
import outcomeStyles from './outcome.module.css'

export interface NoticeProps {
  tone?: 'info' | 'success' | 'warning' | 'danger' | undefined
  /** Announced at once, for a failure that just happened. */
  urgent?: boolean | undefined
  children: ReactNode
  className?: string | undefined
}

const icons = { info: 'info', success: 'success', warning: 'warning', danger: 'error' } as const

/** A persistent message about its section of the page. */
export function Notice({ tone = 'info', urgent, children, className }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, styles[tone], className)} role={urgent ? 'alert' : 'status'}>
      <Icon name={icons[tone]} size="m" />
      <div className={styles.text}>{children}</div>
    </div>
  )
}

export interface OutcomeProps {
  /** The icon of the result, or a spinner while waiting. */
  mark: { icon: IconName; failed?: boolean } | 'waiting'
  title: ReactNode
  /** Why it failed. */
  reason?: ReactNode
  children?: ReactNode
  /** One or two Buttons. */
  actions?: ReactNode
  /** Shown last. */
  note?: ReactNode
}

/** The header of a payment's result page. */
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
