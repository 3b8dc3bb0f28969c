import type { ReactNode } from 'react'
import { classNames } from './class-names'
import { Icon } from './icon'
import styles from './notice.module.css'

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
