import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './card.module.css'
import descriptionListStyles from './description-list.module.css'
import { classNames } from './element'

export interface CardProps extends ComponentPropsWithRef<'div'> {
  /** Recessed instead of raised. */
  sunken?: boolean | undefined
  /** Without padding. */
  flush?: boolean | undefined
}

/** A framed section of a page. */
export function Card({ sunken, flush, className, ...rest }: CardProps) {
  return (
    <div className={classNames(styles.card, sunken && styles.sunken, flush && styles.flush, className)} {...rest} />
  )
}

export interface DescriptionListProps {
  rows: readonly { key: string; term: ReactNode; value: ReactNode; total?: boolean | undefined }[]
  /** Values are amounts, aligned at the end. A row with `total` is the sum. */
  amounts?: boolean | undefined
  className?: string | undefined
}

/** A list of terms and values: an order's details, the total of a cart. */
export function DescriptionList({ rows, amounts, className }: DescriptionListProps) {
  return (
    <dl className={classNames(descriptionListStyles.list, amounts && descriptionListStyles.amounts, className)}>
      {rows.map((row) => (
        <div key={row.key} className={classNames(descriptionListStyles.row, row.total && descriptionListStyles.total)}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}
