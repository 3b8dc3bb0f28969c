import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { type DOMAttributes, type SyntheticEvent, useEffect, useMemo, useRef } from 'react'
import { isNewVisitor } from '~/platform/cookies'
import { isForBrowser, linkAt, loadParts, onFirstMovement, whenIdle } from '~/platform/hydration-boundary'
import { withoutPrefix } from '~/platform/i18n/locales'

/** Milliseconds for which the pointer rests on a link before its page is loaded. */
const intentMilliseconds = 50

/**
 * The event handlers of an element whose HTML comes from the server: its links navigate and load
 * their page in advance, as the router's own links do.
 */
export function useLinksInHtml(): DOMAttributes<HTMLElement> {
  const router = useRouter()
  const timer = useRef<number>(undefined)

  useEffect(() => () => window.clearTimeout(timer.current), [])

  return useMemo(() => {
    const preload = (link: HTMLAnchorElement) => {
      // A page that cannot be loaded now is loaded again when the link is followed.
      router
        .preloadRoute({ to: withoutPrefix(link.pathname), search: router.options.parseSearch?.(link.search) })
        .catch(() => {})
    }
    const preloadAtOnce = (event: SyntheticEvent) => {
      const link = linkAt(event)
      if (link) preload(link)
    }
    return {
      onClick: (event) => {
        const link = linkAt(event)
        if (!link || isForBrowser(event, link)) return
        event.preventDefault()
        void router.navigate({ href: link.pathname + link.search + link.hash })
      },
      onFocus: preloadAtOnce,
      onTouchStart: preloadAtOnce,
      onMouseOver: (event) => {
        const link = linkAt(event)
        window.clearTimeout(timer.current)
        if (link) timer.current = window.setTimeout(() => preload(link), intentMilliseconds)
      },
      onMouseLeave: () => window.clearTimeout(timer.current),
    }
  }, [router])
}

declare global {
  /** The Network Information API, which not every browser has. */
  interface Navigator {
    readonly connection?: { saveData?: boolean; effectiveType?: string }
  }
}

/** Whether prefetching costs too much: data saver, or a slow connection. */
const savesData = () => {
  const { connection } = navigator
  return Boolean(connection?.saveData) || /2g|3g/.test(connection?.effectiveType ?? '')
}

interface Prefetch {
  /** Without a movement of the visitor: for the one page that this page is about. */
  atOnce?: boolean
  /** Loads what else that page needs. Constant. */
  also?: () => void
  /** The list of cards that lead to such pages. Guests also load the data of those in view. */
  cards?: object
}

/** Cards of a view whose data is loaded before one is pressed: some 4 kB each. */
const cardsOfView = 6
/** Those of all views until a document is loaded. */
const cardLimit = 24

/** Paths of the cards whose pages were loaded, or are being loaded. */
const loadedCards = new Set<string>()

/**
 * Loads the pages of the cards in view. Only guests' pages: all guests share their data, so they
 * cost the server next to nothing.
 */
function loadCardsInView(router: AnyRouter): void {
  if (!isNewVisitor()) return
  const links = Array.from(document.querySelectorAll<HTMLAnchorElement>('main article a[href*="/products/"]'))
  const inView = links.filter((link) => {
    const { top, bottom, left, right } = link.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight && left >= 0 && right <= window.innerWidth
  })
  for (const { pathname } of inView.slice(0, cardsOfView)) {
    const to = withoutPrefix(pathname)
    if (loadedCards.has(to) || loadedCards.size >= cardLimit) continue
    loadedCards.add(to)
    router.preloadRoute({ to }).catch(() => loadedCards.delete(to))
  }
}

/**
 * Loads the scripts of a page that is likely to follow, once the visitor has moved and the browser
 * is idle, so that a link to it waits for its data alone; a guest's link to a card in view for
 * nothing.
 */
export function usePagePrefetch(
  path: '/products/$code' | '/products/$code/watch',
  { atOnce = false, also, cards }: Prefetch = {},
): void {
  const router = useRouter()
  useEffect(() => {
    if (savesData()) return
    const loadCards = () => void whenIdle(() => loadCardsInView(router))
    const prefetch = async () => {
      also?.()
      // The route itself may not be in the first script.
      await loadParts()
      await router.loadRouteChunk(router.routesByPath[path])
      if (cards) loadCards()
    }
    const start = () => void whenIdle(() => void prefetch().catch(() => {}))
    if (atOnce) return start()
    const stop = onFirstMovement(start)
    // Of the page, or of a row of cards.
    if (cards) window.addEventListener('scrollend', loadCards, { capture: true, passive: true })
    return () => {
      stop()
      window.removeEventListener('scrollend', loadCards, { capture: true })
    }
  }, [router, path, atOnce, also, cards])
}
