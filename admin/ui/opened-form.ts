import { useEffect, useRef } from 'react'

/**
 * Moves the focus into a form that takes the place of its button, and back to the button when the
 * form closes. If the button has been removed, the page gets the focus.
 *
 * @returns the ref of the form
 */
export const useOpenedForm = (buttonId: string | undefined) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (buttonId === undefined) return
    form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    return () => {
      // The button is in the document after this change of it.
      requestAnimationFrame(() => (document.getElementById(buttonId) ?? document.getElementById('main'))?.focus())
    }
  }, [buttonId])
  return form
}
