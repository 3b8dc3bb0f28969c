import { useRouter } from '@tanstack/react-router'
import { type DOMAttributes, type MouseEvent, type SyntheticEvent, useEffect, useMemo, useRef } from 'react'
import { withoutPrefix } from '~/platform/i18n/locales'

/** Milliseconds for which the pointer rests on a link before its page is loaded. */
const intentMilliseconds = 50

const linkAt = ({ target }: SyntheticEvent) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null

/** Whether the browser, rather than the router, follows the link. */
const isForBrowser = (event: MouseEvent, link: HTMLAnchorElement) =>
  event.defaultPrevented ||
  event.button !== 0 ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.altKey ||
  (link.target !== '' && link.target !== '_self') ||
  link.hasAttribute('download') ||
  link.origin !== location.origin

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
