/**
 * Moves the focus to the first field that was refused, once the errors are drawn. Where the refusal is about the form as a whole, the
 * sentence that says so takes the focus.
 */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const fault =
      form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form?.querySelector<HTMLElement>('[role="alert"]')
    if (fault?.role === 'alert') fault.tabIndex = -1
    fault?.focus()
  })
}
