import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './price.module.css'
import { VisuallyHidden } from './visually-hidden'

export interface PriceProps {
  /** Formatted, with its currency. */
  amount: ReactNode
  /** The price before, struck through; with how it is spoken. */
  list?: { amount: string; label: string } | undefined
  /** A share off, already formatted: "30%". */
  discount?: string | undefined
  /** "From" where several ways to buy differ. */
  prefix?: ReactNode
  /** "for 7 days", "/ month". */
  suffix?: ReactNode
  /** Shown, yet not for sale, as where only plans are sold. */
  inactive?: boolean | undefined
  size?: 's' | 'm' | 'l' | undefined
  className?: string | undefined
}

export function Price({ amount, list, discount, prefix, suffix, inactive, size = 'm', className }: PriceProps) {
  return (
    <span className={classNames(styles.price, styles[size], inactive && styles.inactive, className)}>
      {discount && <span className={styles.discount}>{discount}</span>}
      {prefix && <span className={styles.prefix}>{prefix}</span>}
      <span className={styles.amount}>{amount}</span>
      {suffix && <span className={styles.suffix}>{suffix}</span>}
      {list && (
        <del className={styles.list}>
          <VisuallyHidden>{list.label} </VisuallyHidden>
          {list.amount}
        </del>
      )}
    </span>
  )
}
