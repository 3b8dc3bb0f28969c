import type { ReactNode } from 'react'
import { classNames } from './element'
import styles from './price.module.css'
import { VisuallyHidden } from './visibility'

export interface PriceProps {
  /** Formatted, with its currency; a PriceNote beside it says that it is the lowest of several. */
  amount: ReactNode
  /** The price before, struck through; with how it is spoken. */
  list?: { amount: string; label: string } | undefined
  /** A share off, already formatted: "30%". */
  discount?: string | undefined
  /** "for 7 days", "/ month". */
  suffix?: ReactNode
  /** Shown, yet not for sale, as where only plans are sold. */
  inactive?: boolean | undefined
  size?: 's' | 'm' | 'l' | undefined
  className?: string | undefined
}

export function Price({ amount, list, discount, suffix, inactive, size = 'm', className }: PriceProps) {
  return (
    <span className={classNames(styles.price, styles[size], inactive && styles.inactive, className)}>
      {discount && <span className={styles.discount}>{discount}</span>}
      <span className={styles.amount}>{amount}</span>
      {suffix && <PriceNote>{suffix}</PriceNote>}
      {list && (
        <del className={styles.list}>
          <VisuallyHidden>{list.label} </VisuallyHidden>
          {list.amount}
        </del>
      )}
    </span>
  )
}

/** A word beside an amount, smaller than it. */
export function PriceNote({ children }: { children?: ReactNode }) {
  return <span className={styles.note}>{children}</span>
}
