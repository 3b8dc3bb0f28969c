import { useSyncExternalStore } from 'react'

let open = false
const listeners = new Set<() => void>()

/** Opens or closes the category menu. Every navigation closes it. */
export function setCategoryMenu(next: boolean): void {
  if (typeof window === 'undefined' || next === open) return
  open = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCategoryMenu = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => false,
  )
