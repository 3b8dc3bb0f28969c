import { Trans } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { Card } from '~/ui/card'
import { classNames } from '~/ui/element'
import { EmptyState } from '~/ui/empty-state'
import { lazyPart } from '../platform/lazy-part'
import { type ColumnChoice, isColumnShown } from './columns'
import styles from './data-list.module.css'
import { isTyping, latinKey } from './is-typing'
import { useRowFocus } from './row-focus'

// Menus are loaded after the page.
const ColumnsMenu = lazyPart(async () => ({
  default: (await import('./columns-menu')).ColumnsMenu,
}))

export interface Column<Item> {
  key: string
  header: string
  cell: (item: Item) => ReactNode
  /** Numbers and amounts stand at the end. */
  atEnd?: boolean
  /** Left out on narrow screens. */
  isExtra?: boolean
  /** Has a line of its own on narrow screens. */
  isWide?: boolean
  /** Free text: takes the width that others leave, as the first column and wide ones do. */
  isText?: boolean
  /** Shown only where it is chosen. */
  isOptional?: boolean
}

interface DataListProps<Item> {
  /** The accessible name. */
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** The first column holds the link of the row. */
  columns: readonly Column<Item>[]
  /** Which columns are shown, where that can be chosen. */
  choice?: ColumnChoice
  /** Why nothing is shown. */
  empty: ReactNode
  /** Links to other pages of the list. */
  paging?: ReactNode
}

/** Moves through the links of a list with `j` and `k`, and selects the row of a link with `x`. */
const useRowKeys = (body: RefObject<HTMLTableSectionElement | null>) => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const key = latinKey(event)
      if (!['j', 'k', 'x'].includes(key)) return
      const links = [...(body.current?.querySelectorAll<HTMLElement>('tr td:first-child a') ?? [])]
      const current = links.findIndex((link) => link.matches(':focus'))
      if (key === 'x') {
        links[current]?.closest('tr')?.querySelector<HTMLElement>('input[type=checkbox]')?.click()
        return
      }
      links[key === 'j' ? current + 1 : Math.max(0, current - 1)]?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [body])
}

const cellClass = ({ atEnd, isExtra, isWide, isText }: Column<never>, at: number) =>
  classNames(
    atEnd && styles.end,
    isExtra && styles.extra,
    isWide && styles.wide,
    (isText || isWide || at === 0) && styles.text,
  )

/** A table of objects, each a link to its page. On narrow screens a row is a small card. */
export function DataList<Item>(props: DataListProps<Item>) {
  const { label, items, keyOf, columns: all, choice, empty, paging } = props
  const focus = useRowFocus<HTMLTableSectionElement>(items.map(keyOf))
  useRowKeys(focus.ref)
  const columns = all.filter((column, at) => isColumnShown(choice?.shown, column, at))
  if (items.length === 0)
    return (
      <Card>
        <EmptyState icon="search" compact title={<Trans>Nothing to show</Trans>}>
          {empty}
        </EmptyState>
        {paging}
      </Card>
    )
  return (
    <Card flush className={styles.card}>
      {choice && (
        <div className={styles.columns}>
          <ColumnsMenu {...choice} columns={all} />
        </div>
      )}
      <table className={classNames(styles.table, choice && styles.withColumns)} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={column.key} scope="col" className={cellClass(column, at)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...focus}>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column, at) => (
                <td key={column.key} className={cellClass(column, at)}>
                  {column.cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {paging}
    </Card>
  )
}
