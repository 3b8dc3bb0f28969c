import type { AnyRouter } from '@tanstack/react-router'

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
