import { type ReactNode, useState } from 'react'
import type { BulkSelectionInput } from '#contract/admin/bulk.ts'
import { SelectAll } from './bulk'
import { Selection } from './selection'

/** The selected items of a list, and whether the dialog that changes them is open. */
export const useListSelection = <Key extends string>() => {
  const [selected, select] = useState<readonly Key[]>([])
  /** The number of all that fit the filters, in place of the selected ones. */
  const [all, setAll] = useState<number>()
  const [isOpen, setOpen] = useState(false)
  return {
    selected,
    select,
    all,
    isOpen,
    open: () => setOpen(true),
    openAll: (count: number) => {
      setAll(count)
      setOpen(true)
    },
    /** Who goes back keeps the selected items; once they are changed, nothing is selected. */
    close: (isDone = false) => {
      setOpen(false)
      setAll(undefined)
      if (isDone) select([])
    },
  }
}

interface ListSelectionProps<Key extends string> {
  state: ReturnType<typeof useListSelection<Key>>
  /** The items of the page. */
  keys: readonly Key[]
  /** Whether the list has further pages. */
  hasMore: boolean
  /** The filters of the list. */
  filters: BulkSelectionInput
  /** The label of the button that opens the dialog. */
  action: ReactNode
  /** Buttons of what else is done with the selected items. */
  children?: ReactNode
}

/** Selects items of a page, or all that fit the filters, for a dialog that changes them. */
export function ListSelection<Key extends string>(props: ListSelectionProps<Key>) {
  const { state, keys, hasMore, filters, action, children } = props
  if (keys.length === 0) return null
  return (
    <Selection
      keys={keys}
      selected={state.selected}
      onSelect={state.select}
      action={action}
      onAct={state.open}
      further={hasMore && <SelectAll selection={filters} onSelect={state.openAll} />}
    >
      {children}
    </Selection>
  )
}
