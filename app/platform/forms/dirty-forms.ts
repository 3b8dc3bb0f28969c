import { useEffect } from 'react'

const dirty = new Set<symbol>()

/** Whether someone has written into a form and not sent it yet. */
export const hasDirtyForm = () => dirty.size > 0

/** `useDirtyForm` where only a part of the page hears of the form's state. */
export function DirtyForm({ dirty }: { dirty: boolean }): null {
  useDirtyForm(dirty)
  return null
}

/**
 * Tells the page that a form holds what would be lost: a reload for a newer build waits for it, and the browser asks
 * before the page is left.
 */
export function useDirtyForm(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    dirty.add(form)
    window.addEventListener('beforeunload', ask)
    return () => {
      dirty.delete(form)
      window.removeEventListener('beforeunload', ask)
    }
  }, [isDirty])
}
