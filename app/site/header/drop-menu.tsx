import { useRouter } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import styles from './drop-menu.module.css'

interface DropMenuProps {
  /** The content of the button. */
  trigger: ReactNode
  /** The accessible name. It begins with the visible text. */
  label: string
  children: ReactNode
  className?: string | undefined
}

/**
 * Closes an open menu on Escape, on a press outside and when the focus leaves. Escape returns the
 * focus to the button.
 */
export function useCloseOnLeave(menu: RefObject<HTMLElement | null>, open: boolean, close: () => void) {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    const element = menu.current
    if (!open || !element) return
    const closeOutside = ({ target }: Event) => {
      if (!(target instanceof Node && element.contains(target))) latest.current()
    }
    const onEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      latest.current()
      element.querySelector<HTMLElement>('summary, button')?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', onEscape)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', onEscape)
    }
  }, [menu, open])
}

/**
 * A small panel below its trigger. It is a plain `<details>`, so it opens without script; with it,
 * Escape, a press elsewhere, leaving by Tab and every navigation close it.
 */
export function DropMenu({ trigger, label, children, className }: DropMenuProps) {
  const element = useRef<HTMLDetailsElement>(null)
  const router = useRouter()

  const [open, setOpen] = useState(false)
  const close = useCallback(() => {
    if (element.current) element.current.open = false
  }, [])
  useCloseOnLeave(element, open, close)
  useEffect(() => router.subscribe('onBeforeNavigate', close), [router, close])
  // It may have been opened before hydration.
  useEffect(() => setOpen(element.current?.open ?? false), [])

  return (
    <details
      ref={element}
      className={className ? `${styles.menu} ${className}` : styles.menu}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.trigger} aria-label={label}>
        {trigger}
      </summary>
      <div className={styles.panel}>{children}</div>
    </details>
  )
}
