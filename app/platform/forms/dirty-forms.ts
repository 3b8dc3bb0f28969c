import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'

type Place = 'page' | 'modal'

/** Where a form is. Closing a modal checks the modal's form, not that of the page behind it. */
export const FormPlace = createContext<Place>('page')

const dirty = new Map<symbol, Place>()
const listeners = new Set<() => void>()

/** Whether a form has unsaved input. */
export const hasDirtyForm = (): boolean => dirty.size > 0

let isSavedAtSignIn = false

/**
 * Sets whether the way to the sign-in page saves what was typed, so that leaving for it asks
 * nothing.
 */
export const setSavedAtSignIn = (isSaved: boolean): void => {
  isSavedAtSignIn = isSaved
}

/** Whether a navigation to a path loses unsaved input. */
export const losesInput = (to: string): boolean => hasDirtyForm() && !(isSavedAtSignIn && to === '/login')

/** Whether the open modal has unsaved input. */
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

/** `hasDirtyForm` as a hook. */
export const useHasDirtyForm = (): boolean => useSyncExternalStore(subscribe, hasDirtyForm, () => false)

/** `useDirtyForm` as a component, where only a part of the page subscribes to the form's state. */
export function DirtyForm({ dirty }: { dirty: boolean }): null {
  useDirtyForm(dirty)
  return null
}

/**
 * Registers a form with unsaved input: navigation and closing the document ask first, and a reload
 * for a newer build waits. Input that is being sent is not dirty.
 */
export function useDirtyForm(isDirty: boolean): void {
  const place = useContext(FormPlace)
  useEffect(() => {
    if (!isDirty) return
    const form = Symbol('form')
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    mark(form, place)
    window.addEventListener('beforeunload', preventUnload)
    return () => {
      mark(form, null)
      window.removeEventListener('beforeunload', preventUnload)
    }
  }, [isDirty, place])
}
