import { type RefObject, useState } from 'react'
import { problemOf } from '~/platform/api/problem'
import { focusFirstInvalid } from '~/platform/focus'

/** What came of a form: nothing yet, saved, or the code it was refused with. */
export interface Saving {
  saved: boolean
  refusal: string | null
}

/** Sends a form of the profile and keeps what came of it. A refusal that names fields is told at them, not here. */
export function useSave(first: Saving, form: RefObject<HTMLFormElement | null>) {
  const [saving, setSaving] = useState(first)
  const save = async (send: () => Promise<unknown>): Promise<boolean> => {
    setSaving({ saved: false, refusal: null })
    try {
      await send()
      setSaving({ saved: true, refusal: null })
      return true
    } catch (error) {
      const problem = problemOf(error)
      const named = problem?.status === 422 && Object.keys(problem.errors).length > 0
      setSaving({ saved: false, refusal: named ? null : (problem?.code ?? 'ERROR') })
      focusFirstInvalid(form.current)
      return false
    }
  }
  return { ...saving, save }
}
