import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './element'
import type { IconName } from './icon'
import { Icon } from './icon'

export interface BadgeProps {
  /** `glass` is for artwork. */
  tone?: 'neutral' | 'accent' | 'soft' | 'success' | 'warning' | 'danger' | 'info' | 'glass' | 'outline' | undefined
  icon?: IconName | undefined
  className?: string | undefined
  children: ReactNode
}

/** A short status: owned, new, three days left. */
export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, styles[tone], className)}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}
