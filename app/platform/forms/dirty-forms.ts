import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'

type Place = 'page' | 'modal'

/** Where the forms below stand: closing a modal asks for its own form, not for that of the page behind it. */
export const FormPlace = createContext<Place>('page')

const dirty = new Map<symbol, Place>()
const listeners = new Set<() => void>()

/** Whether someone has written into a form and not sent it yet. */
export const hasDirtyForm = (): boolean => dirty.size > 0

/** The same of the open modal alone. */
export const hasDirtyModal = (): boolean => [...dirty.values()].includes('modal')

function mark(form: symbol, place: Place | null) {
  if (place) dirty.set(form, place)
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
  const place = useContext(FormPlace)
  useEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    mark(form, place)
    window.addEventListener('beforeunload', ask)
    return () => {
      mark(form, null)
      window.removeEventListener('beforeunload', ask)
    }
  }, [isDirty, place])
}
