import { type RefObject, useEffect, useRef } from 'react'
import { useHydrated } from './visibility'

/**
 * Focuses a panel when it opens, and for each new `step`. Not for a panel that the server rendered
 * open: moving the page could take a button from under the pointer.
 */
export function usePanelFocus<T extends HTMLElement>(step = ''): RefObject<T | null> {
  const element = useRef<T>(null)
  const shown = useRef(useHydrated() ? undefined : step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    element.current?.focus()
  }, [step])
  return element
}
