import { useEffect, useSyncExternalStore } from 'react'

const dirty = new Set<symbol>()
const listeners = new Set<() => void>()

/** Whether someone has written into a form and not sent it yet. */
export const hasDirtyForm = () => dirty.size > 0

function mark(form: symbol, isDirty: boolean) {
  if (isDirty) dirty.add(form)
  else dirty.delete(form)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `hasDirtyForm` for a component that follows it. */
export const useHasDirtyForm = (): boolean => useSyncExternalStore(subscribe, hasDirtyForm, () => false)

/** `useDirtyForm` where only a part of the page hears of the form's state. */
export function DirtyForm({ dirty }: { dirty: boolean }): null {
  useDirtyForm(dirty)
  return null
}

/**
 * Tells the page that a form holds what would be lost: a navigation asks before it leaves the page, a reload for a newer build waits,
 * and the browser asks before the document is closed. What is being sent or has been sent is not dirty.
 */
export function useDirtyForm(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    mark(form, true)
    window.addEventListener('beforeunload', ask)
    return () => {
      mark(form, false)
      window.removeEventListener('beforeunload', ask)
    }
  }, [isDirty])
}
