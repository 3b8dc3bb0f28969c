import { useRouter } from '@tanstack/react-router'
import { type DOMAttributes, type SyntheticEvent, useEffect, useMemo, useRef } from 'react'
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
export const savesData = (): boolean => {
  const { connection } = navigator
  return connection?.saveData || /2g|3g/.test(`${connection?.effectiveType}`)
}

/**
 * Loads the scripts of a page that is likely to follow, once the visitor has moved and the browser
 * is idle, so that a link to it waits for its data alone. With `also`, which loads what else the
 * one page needs that this page is about, without a movement. It is constant.
 */
export function usePagePrefetch(path: '/products/$code' | '/products/$code/watch', also?: () => void): void {
  const router = useRouter()
  useEffect(() => {
    if (savesData()) return
    const prefetch = async () => {
      also?.()
      // The route itself may not be in the first script.
      await loadParts()
      await router.loadRouteChunk(router.routesByPath[path])
    }
    const start = () => void whenIdle(() => void prefetch().catch(() => {}))
    return also ? start() : onFirstMovement(start)
  }, [router, path, also])
}
