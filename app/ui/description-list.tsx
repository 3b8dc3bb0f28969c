import type { ReactNode } from 'react'
import { classNames } from './class-names'
import styles from './description-list.module.css'

export interface DescriptionListProps {
  rows: readonly { key: string; term: ReactNode; value: ReactNode; total?: boolean | undefined }[]
  /** Values are amounts, set at the far edge; a row with `total` closes the sum. */
  amounts?: boolean | undefined
  className?: string | undefined
}

/** Facts by name: an order's details, the sum of a cart. */
export function DescriptionList({ rows, amounts, className }: DescriptionListProps) {
  return (
    <dl className={classNames(styles.list, amounts && styles.amounts, className)}>
      {rows.map((row) => (
        <div key={row.key} className={classNames(styles.row, row.total && styles.total)}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}
