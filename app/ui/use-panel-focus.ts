import { type RefObject, useEffect, useRef } from 'react'
import { useHydrated } from './visibility'

/**
 * The focus moves to what has just opened, once for each `step` of it. Not where the page came from the server with the panel open:
 * its reader may be in the middle of a press, and moving the page would take the button from under the pointer.
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
