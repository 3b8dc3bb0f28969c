import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { Rows, type RowsProps } from './rows'

/** When the focus may be lost: at once, or when a dialog that removed the row has closed. */
const checks = [0, 150, 600]

/** What a press in a row may open. The row still has the focus then. */
const opened = '[role=dialog], [role=alertdialog], [role=menu]'

const controls = 'a[href], button, input, select, textarea'

interface RowFocus<Element extends HTMLElement> {
  ref: RefObject<Element | null>
  onFocus: (event: FocusEvent) => void
}

/**
 * Focuses the next row when the row that had the focus is removed, and the page when it was the
 * only one. Browsers would focus no element.
 *
 * @param keys the keys of the rows, in their order
 * @returns what the list takes whose children are the rows
 */
export const useRowFocus = <Element extends HTMLElement>(keys: readonly string[]): RowFocus<Element> => {
  const list = useRef<Element>(null)
  const focused = useRef<{ key: string; at: number }>(undefined)
  const all = JSON.stringify(keys)
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const isElsewhere = target instanceof Element && !list.current?.contains(target) && !target.closest(opened)
      if (isElsewhere) focused.current = undefined
    }
    const events = ['focusin', 'pointerdown'] as const
    for (const event of events) document.addEventListener(event, leave)
    return () => {
      for (const event of events) document.removeEventListener(event, leave)
    }
  }, [])
  useEffect(() => {
    const left: readonly string[] = JSON.parse(all)
    const gone = focused.current
    if (!gone || left.includes(gone.key)) return
    const timers = checks.map((delay) =>
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const rows = list.current?.children ?? []
        const row = rows[Math.min(gone.at, rows.length - 1)]
        const control = row?.querySelector<HTMLElement>(controls) ?? document.getElementById('main')
        control?.focus()
      }, delay),
    )
    return () => timers.forEach(clearTimeout)
  }, [all])
  return {
    ref: list,
    onFocus: ({ target }) => {
      const at = [...(list.current?.children ?? [])].findIndex((row) => row.contains(target))
      const key = keys[at]
      if (key !== undefined) focused.current = { key, at }
    },
  }
}

/** A short list whose rows can be removed. */
export const RemovableRows = (props: RowsProps) => (
  <Rows {...props} {...useRowFocus<HTMLUListElement>(props.items.map(({ key }) => key))} />
)
