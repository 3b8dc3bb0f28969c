import { Trans, useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '~/ui/button'
import { Chip } from '~/ui/chip'
import { VisuallyHidden } from '~/ui/visibility'
import styles from './filters.module.css'

interface Fold {
  isOpen: boolean
  /** How many of the folded filters are set. */
  active: number
  button: RefObject<HTMLButtonElement | null>
  toggle: () => void
  count: (by: number) => void
}

const FoldContext = createContext<Fold | null>(null)

/** Folds the filters of a list on narrow screens behind one button. */
export function FoldedFilters({ children }: { children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const steady = useMemo(
    () => ({
      button,
      toggle: () => setOpen((open) => !open),
      count: (by: number) => setActive((before) => before + by),
    }),
    [],
  )
  const fold = useMemo(() => ({ ...steady, isOpen, active }), [steady, isOpen, active])
  return <FoldContext value={fold}>{children}</FoldContext>
}

/** Shows the folded filters, beside the field of a search. */
export function FoldButton() {
  const fold = useContext(FoldContext)
  if (!fold) return null
  const { isOpen, active, button, toggle } = fold
  return (
    <Button
      ref={button}
      className={styles.fold}
      icon="filter"
      variant="outline"
      aria-expanded={isOpen}
      onClick={toggle}
    >
      {active > 0 ? (
        <Trans>
          Filters <span className={styles.count}>{active}</span> <VisuallyHidden>applied</VisuallyHidden>
        </Trans>
      ) : (
        <Trans>Filters</Trans>
      )}
    </Button>
  )
}

interface FoldedFieldProps {
  label: string
  /** What is chosen; undefined for a filter that is not set. */
  chosen: string | undefined
  /** Sorts and leaves out nothing. */
  isSort?: boolean | undefined
  onRemove: () => void
  children: ReactNode
}

/** A filter that is folded on narrow screens. What is chosen stays there as a chip. */
export function FoldedField({ label, chosen, isSort = false, onRemove, children }: FoldedFieldProps) {
  const { t } = useLingui()
  const fold = useContext(FoldContext)
  const count = fold?.count
  const isActive = chosen !== undefined && !isSort
  useEffect(() => {
    if (!isActive || !count) return undefined
    count(1)
    return () => count(-1)
  }, [isActive, count])
  if (!fold) return children
  const value = chosen ?? ''
  const name = t`${label}: ${value}`
  const remove = () => {
    // The chip, which has the focus, disappears.
    fold.button.current?.focus()
    onRemove()
  }
  return (
    <>
      <div className={fold.isOpen ? styles.open : styles.folded}>{children}</div>
      {chosen !== undefined && !fold.isOpen && (
        <span className={styles.chosen}>
          <Chip removable onClick={remove}>
            <Trans>
              <VisuallyHidden>Remove</VisuallyHidden> <bdi>{name}</bdi>
            </Trans>
          </Chip>
        </span>
      )}
    </>
  )
}
