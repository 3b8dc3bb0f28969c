import { useSyncExternalStore } from 'react'

export type FieldErrors = Readonly<Record<string, readonly string[]>>

const none: FieldErrors = {}
let current = none
const listeners = new Set<() => void>()

function publish(errors: FieldErrors) {
  if (typeof window === 'undefined' || errors === current) return
  current = errors
  for (const listener of listeners) listener()
}

/** The field errors of the latest call that answered 422. Cleared before each request. */
export const validationErrors = {
  get: () => current,
  store: (errors: FieldErrors) => publish(errors),
  clear: () => publish(none),
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The stored errors, by field path. */
export const useValidationErrors = (): FieldErrors => useSyncExternalStore(subscribe, validationErrors.get, () => none)

/** The stored errors of one field. */
export const useFieldErrors = (path: string): readonly string[] => useValidationErrors()[path] ?? noErrors
const noErrors: readonly string[] = []
