import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '~/ui/button'
import { Checkbox } from '~/ui/choice'
import form from './form.module.css'
import styles from './selection.module.css'

/** What is changed at once at most. */
const maxSelected = 100

interface SelectionProps<Key extends string> {
  /** The items of the page. */
  keys: readonly Key[]
  /** The selected ones, which may be on several pages. */
  selected: readonly Key[]
  onSelect: (keys: readonly Key[]) => void
  /** What is done with them: the label of its button, and its press. */
  action: ReactNode
  onAct: () => void
  /** The button that selects what the other pages have too. */
  further?: ReactNode
  /** Buttons of what else is done with them. */
  children?: ReactNode
}

/** Selects the items of a page, and acts on the selected ones. */
export function Selection<Key extends string>({
  keys,
  selected,
  onSelect,
  action,
  onAct,
  further,
  children,
}: SelectionProps<Key>) {
  const isWhole = keys.every((key) => selected.includes(key))
  const first = useRef<HTMLDivElement>(null)
  const isEmpty = selected.length === 0
  const wasEmpty = useRef(isEmpty)
  useEffect(() => {
    const hasEnded = isEmpty && !wasEmpty.current
    wasEmpty.current = isEmpty
    if (!hasEnded) return
    // The dialog cannot return the focus: the button that opened it is removed.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) first.current?.querySelector('button')?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [isEmpty])
  return (
    <div className={form.buttons} ref={first}>
      <Button
        size="s"
        onClick={() => onSelect(isWhole ? [] : [...new Set([...selected, ...keys])].slice(0, maxSelected))}
      >
        {isWhole ? <Trans>Select none</Trans> : <Trans>Select all of this page</Trans>}
      </Button>
      {further}
      {selected.length > 0 && (
        <>
          <Button size="s" variant="primary" onClick={onAct}>
            {action}
          </Button>
          {children}
        </>
      )}
    </div>
  )
}

interface SelectableProps<Key extends string> {
  item: Key
  /** The accessible name of the box. */
  label: string
  selected: readonly Key[]
  /** Absent for those who may not select. */
  onSelect: ((keys: readonly Key[]) => void) | null
  children: ReactNode
}

/** The first cell of a row, with the box that selects the row. */
export function Selectable<Key extends string>({ item, label, selected, onSelect, children }: SelectableProps<Key>) {
  return (
    <span className={styles.selectable}>
      {onSelect && (
        <Checkbox
          className={styles.select}
          label=""
          aria-label={label}
          checked={selected.includes(item)}
          onChange={({ target }) =>
            onSelect(target.checked ? [...selected, item] : selected.filter((each) => each !== item))
          }
        />
      )}
      {children}
    </span>
  )
}
