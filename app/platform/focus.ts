/** From the element that has the focus to the body, without the body. */
function trailOf(element: EventTarget | null): Element[] {
  const trail: Element[] = []
  for (let at = element instanceof Element ? element : null; at && at !== document.body; at = at.parentElement)
    trail.push(at)
  return trail
}

/**
 * Keeps the focus in its part of the page: when the focused element is removed, its nearest remaining ancestor takes the focus, or the
 * page's content where none remains. Without this the browser moves the focus to the body, and keyboard and screen reader start again
 * at the top. What gives the focus a better place itself does so first.
 *
 * @returns ends it.
 */
export function restoreFocus(): () => void {
  let trail: Element[] = []
  let frame = 0

  const onFocusIn = ({ target }: FocusEvent) => {
    trail = trailOf(target)
  }
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    // Left by a press on nothing. An element on its way out is still connected here, but no longer a moment later.
    queueMicrotask(() => {
      if (!relatedTarget && target instanceof Element && target.isConnected && trail[0] === target) trail = []
    })
  }
  const restore = () => {
    const [focused, ...ancestors] = trail
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    trail = []
    const place = ancestors.find((element) => element.isConnected) ?? document.getElementById('main')
    if (!(place instanceof HTMLElement)) return
    if (place.tabIndex < 0) place.tabIndex = -1
    place.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!trail[0] || trail[0].isConnected) return
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(restore)
  })

  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', onFocusIn)
    document.removeEventListener('focusout', onFocusOut)
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}

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
