import { useState } from 'react'

type Values = Readonly<Record<string, unknown>>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export interface FormKey {
  key: number
  /** Keeps the form when these values come back as stored. Returns them. */
  recordSent: <Change extends Values>(change: Change) => Change
}

/**
 * The key of a form of stored values: another one when they change, so that the form begins anew
 * with them. Where the form itself has changed them to just what it shows, it stays as it is, with
 * the caret, what is scrolled to, and what the editor of a text can undo.
 */
export const useFormKey = (stored: Values | null): FormKey => {
  const [shown, setShown] = useState({ key: 0, stored })
  const [sent, setSent] = useState<Values>()
  if (!isSame(shown.stored, stored)) {
    const form: Values = { ...shown.stored, ...sent }
    const isOwn = sent && stored && Object.entries(stored).every(([name, value]) => isSame(form[name], value))
    setShown({ key: isOwn ? shown.key : shown.key + 1, stored })
    setSent(undefined)
  }
  return {
    key: shown.key,
    recordSent: (change) => {
      setSent(change)
      return change
    },
  }
}
