import { useId } from 'react'
import { classNames } from '~/ui/element'
import { DragHandle } from './drag-handle'
import { type DragList, useDragItem } from './drag-item'
import dragStyles from './drag-item.module.css'
import { useRowFocus } from './row-focus'
import { type Row, Rows, RowTexts } from './rows'
import styles from './rows.module.css'

function DraggedRow({ row, at, list }: { row: Row; at: number; list: DragList }) {
  const { item, handle, shown } = useDragItem<HTMLLIElement>(list, at)
  return (
    <li ref={item} className={classNames(styles.row, styles.dragged, dragStyles.item)} {...shown}>
      <DragHandle handle={handle} />
      <RowTexts {...row} />
    </li>
  )
}

interface DraggedRowsProps {
  items: readonly Row[]
  /** Null where the order stays. */
  drag: Omit<DragList, 'id'> | null
}

/** A short list within a section whose order is changed by dragging. */
export function DraggedRows({ items, drag }: DraggedRowsProps) {
  const id = useId()
  const focus = useRowFocus<HTMLUListElement>(items.map(({ key }) => key))
  if (!drag) return <Rows items={items} {...focus} />
  return (
    <ul className={styles.rows} {...focus}>
      {items.map((row, at) => (
        <DraggedRow key={row.key} row={row} at={at} list={{ ...drag, id }} />
      ))}
    </ul>
  )
}
