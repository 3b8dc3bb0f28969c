import type { ComponentProps, ReactNode } from 'react'
import styles from './rows.module.css'

export interface Row {
  key: string
  title: ReactNode
  detail?: ReactNode
  end?: ReactNode
}

export const RowTexts = ({ title, detail, end }: Row) => (
  <>
    <div className={styles.text}>
      <div className={styles.title}>{title}</div>
      {detail && <div className={styles.detail}>{detail}</div>}
    </div>
    {end && <div className={styles.end}>{end}</div>}
  </>
)

export interface RowsProps {
  items: readonly Row[]
  /** What is said in place of an empty list. */
  empty?: ReactNode
}

/** A short list within a section. */
export function Rows({ items, empty, ...list }: RowsProps & Pick<ComponentProps<'ul'>, 'ref' | 'onFocus'>) {
  return items.length === 0 && empty !== undefined ? (
    <p>{empty}</p>
  ) : (
    <ul className={styles.rows} {...list}>
      {items.map((row) => (
        <li key={row.key} className={styles.row}>
          <RowTexts {...row} />
        </li>
      ))}
    </ul>
  )
}
