import { type AnyRouter, type RouterHistory, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './page-feedback.module.css'
import { pressedCardOf } from './pressed-card'

/**
 * Set on the document once heights outside the window must be exact, as on a page that the visitor
 * returns to.
 */
const wholeAttribute = 'data-whole'

/**
 * An inline script of the document's head. It marks the document when the visitor scrolls it, and a
 * row when it scrolls: style sheets estimate heights below the window, and leave out pictures out
 * of view, until then. It does not wait for the other scripts.
 */
export const watchScrolling = `addEventListener('scroll',({target:t})=>{let d=document;t==d?scrollY>0&&d.documentElement.setAttribute('${wholeAttribute}',''):t.setAttribute('data-scrolled','')},{capture:true,passive:true})`

/**
 * Lays out a page that the visitor returns to as a whole, so that its scroll position is exact. The
 * heights below the window of another page are estimated again.
 */
export function estimateHeightsBelow(router: AnyRouter): void {
  if (typeof document === 'undefined') return
  const history: RouterHistory = router.history
  history.subscribe(({ action: { type } }) =>
    document.documentElement.toggleAttribute(wholeAttribute, type === 'BACK' || type === 'FORWARD' || type === 'GO'),
  )
}

/**
 * Milliseconds until a page that loads shows its skeleton. The pressed link responds at once, and
 * so does the page of a pressed card, because its skeleton shows what the card shows.
 */
const skeletonMilliseconds = 150

/**
 * Shows the skeleton of another page while it loads. Filters and steps of the same page keep what
 * is shown, so that the focus and typed text stay where they are. `isLoaded` says whether the data
 * of a card's page is there: its skeleton would come just before it.
 */
export function showSkeletonsOfOtherPages(router: AnyRouter, isLoaded: (code: string) => unknown): void {
  router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
    const card = pressedCardOf(toLocation.pathname.split('/').at(-1))
    const delay = card && !isLoaded(card.code) ? 0 : skeletonMilliseconds
    router.options.defaultPendingMs = pathChanged ? delay : Number.POSITIVE_INFINITY
  })
}

/** Set on the pressed link until its page is shown. */
const mark = 'data-pressed'

/**
 * Marks the link that began a navigation while the next page loads.
 * @returns the function that ends it
 */
export function markPressedLink(router: AnyRouter): () => void {
  let clicked: Element | null = null
  let pressed: Element | null = null

  const onClick = ({ target }: MouseEvent) => {
    clicked = target instanceof Element ? target.closest('a') : null
    // A click navigates within its own task or not at all.
    setTimeout(() => {
      clicked = null
    })
  }
  const clear = () => {
    pressed?.removeAttribute(mark)
    pressed = null
  }
  document.addEventListener('click', onClick, { capture: true })
  // The address changes at once; the navigation may wait for scripts.
  const history: RouterHistory = router.history
  const stopLeaving = history.subscribe(() => {
    clear()
    pressed = clicked
    pressed?.setAttribute(mark, '')
  })
  const unsubscribe = router.subscribe('onResolved', clear)
  return () => {
    document.removeEventListener('click', onClick, { capture: true })
    stopLeaving()
    unsubscribe()
    clear()
  }
}

/** A list that is dimmed while the next page or filter of it loads. */
export function ReloadingList({ children }: { children: ReactNode }) {
  const loading = useRouterState({ select: (state) => state.isLoading })
  return (
    <div aria-busy={loading || undefined} className={styles.list}>
      {children}
    </div>
  )
}
