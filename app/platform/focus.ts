/** The element and its ancestors below the body. */
function trailOf(element: EventTarget | null): Element[] {
  const trail: Element[] = []
  for (let at = element instanceof Element ? element : null; at && at !== document.body; at = at.parentElement)
    trail.push(at)
  return trail
}

/**
 * When the focused element is removed, moves the focus to its nearest remaining ancestor, or to the
 * main content. The browser would move it to the body, so that keyboard and screen reader start
 * again at the top. A component that moves the focus itself comes first.
 * @returns the function that ends it
 */
export function restoreFocus(): () => void {
  let trail: Element[] = []
  let frame = 0

  const onFocusIn = ({ target }: FocusEvent) => {
    trail = trailOf(target)
  }
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    // The focus left by a click on nothing. An element that is being removed is still connected
    // here, but not in the microtask.
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
 * Moves the focus to the first invalid field once the errors are rendered, or to the form's own
 * error message.
 */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const fault =
      form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form?.querySelector<HTMLElement>('[role="alert"]')
    if (fault?.role === 'alert') fault.tabIndex = -1
    fault?.focus()
  })
}
