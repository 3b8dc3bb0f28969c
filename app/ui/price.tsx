import type { ReactNode } from 'react'
import { classNames } from './element'
import styles from './price.module.css'
import { VisuallyHidden } from './visibility'

export interface PriceProps {
  /** The formatted price. */
  amount: ReactNode
  /** The former price, struck through, with its accessible text. */
  list?: { amount: string; label: string } | undefined
  /** The formatted discount: "30%". */
  discount?: string | undefined
  /** "for 7 days", "/ month". */
  suffix?: ReactNode
  /** Shown but not for sale, in a store that sells only plans. */
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

/** Small text beside a price. */
export function PriceNote({ children }: { children?: ReactNode }) {
  return <span className={styles.note}>{children}</span>
}
