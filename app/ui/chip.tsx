import type { ComponentPropsWithRef, ReactNode } from 'react'
import badgeStyles from './badge.module.css'
import styles from './chip.module.css'
import { classNames, type RenderElement, renderAs } from './element'
import { Icon, type IconName } from './icon'

export interface ChipProps extends ComponentPropsWithRef<'button'> {
  /** Pressing it removes the filter. Say so in `aria-label`: "Remove the filter Drama". */
  removable?: boolean | undefined
  /** The number of matches. */
  count?: ReactNode
  /** Renders a link, for filters in the URL. */
  render?: RenderElement | undefined
  selected?: boolean | undefined
}

/** A small button or link: an active filter, a category, a recent search. */
export function Chip({ removable, count, render, selected, className, children, type = 'button', ...rest }: ChipProps) {
  const ownClass = classNames(styles.chip, removable && styles.removable, className)
  const content = (
    <>
      <span>{children}</span>
      {count !== undefined && count !== null && <span className={styles.count}>{count}</span>}
      {removable && <Icon name="close" size="s" />}
    </>
  )
  if (render) {
    const named = rest['aria-label'] ? { 'aria-label': rest['aria-label'] } : {}
    return renderAs(render, { className: ownClass, 'data-selected': selected || undefined, ...named }, content)
  }
  return (
    <button type={type} className={ownClass} aria-pressed={selected} {...rest}>
      {content}
    </button>
  )
}

/** A wrapping row of chips. */
export function Chips({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <div className={classNames(styles.chips, className)}>{children}</div>
}

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
    <span className={classNames(badgeStyles.badge, badgeStyles[tone], className)}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}
