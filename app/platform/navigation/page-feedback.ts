import type { AnyRouter } from '@tanstack/react-router'

/**
 * Another page fades in. The page that came from the server stands already, and a filter or a step of the same page is no other page:
 * those change at once.
 */
export function fadeBetweenPages(router: AnyRouter): void {
  router.startViewTransition = async (update) => {
    const from = router.stores.resolvedLocation.get()
    const another = from && from.pathname !== router.latestLocation.pathname
    if (!another || typeof document === 'undefined' || !document.startViewTransition) return update()
    const transition = document.startViewTransition(update)
    // A newer navigation skips the pictures of the older one; nobody waits for them.
    for (const step of [transition.ready, transition.finished]) step.catch(() => {})
    await transition.updateCallbackDone
  }
}

/** On the link that was pressed, from its press until the page it leads to is there. */
const mark = 'data-pressed'

/**
 * Marks the link that began a navigation, so that its press stays seen while the next page loads.
 *
 * @returns ends it.
 */
export function markPressedLink(router: AnyRouter): () => void {
  let clicked: Element | null = null
  let pressed: Element | null = null

  const onClick = ({ target }: MouseEvent) => {
    clicked = target instanceof Element ? target.closest('a') : null
    // A click leads somewhere within its own task, or not at all.
    setTimeout(() => {
      clicked = null
    })
  }
  const clear = () => {
    pressed?.removeAttribute(mark)
    pressed = null
  }
  document.addEventListener('click', onClick, { capture: true })
  const stopLeaving = router.subscribe('onBeforeNavigate', () => {
    clear()
    pressed = clicked
    pressed?.setAttribute(mark, '')
  })
  const stopArriving = router.subscribe('onResolved', clear)
  return () => {
    document.removeEventListener('click', onClick, { capture: true })
    stopLeaving()
    stopArriving()
    clear()
  }
}
