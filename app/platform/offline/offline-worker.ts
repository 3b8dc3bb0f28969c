import type { AnyRouter } from '@tanstack/react-router'
import { log } from '~/platform/log'

/** What the page for visitors without network says and looks like. */
export interface OfflinePage {
  name: string
  language: string
  /** Empty: as the visitor's device asks. */
  theme: 'light' | 'dark' | ''
}

/** Other settings make another worker, which takes the place of the one before. */
const workerAddress = (page: OfflinePage) => `/service-worker.js?${new URLSearchParams({ ...page })}`

/** How long a navigation may go on without network before its page is given up, in milliseconds. */
const navigationTimeout = 1500

/**
 * Registers the worker that answers pages without network, once the page is loaded and idle. Answers how to stop: a worker that is
 * registered stays.
 */
export function registerOfflineWorker(page: OfflinePage): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => {}
  let stopped = false
  const register = () => {
    if (stopped) return
    navigator.serviceWorker
      .register(workerAddress(page), { updateViaCache: 'none' })
      // Private windows refuse workers, as does a store that cannot be reached just now.
      .catch((error: unknown) => log('warn', 'The page for visitors without network is not available.', { error }))
  }
  const whenIdle = () => ('requestIdleCallback' in window ? requestIdleCallback(register) : setTimeout(register, 2000))
  if (document.readyState === 'complete') whenIdle()
  else window.addEventListener('load', whenIdle, { once: true })
  return () => {
    stopped = true
    window.removeEventListener('load', whenIdle)
  }
}

/** Whether the worker would answer a page now. */
const isOffline = () => !navigator.onLine && Boolean(navigator.serviceWorker?.controller)

/**
 * A navigation inside the app whose data does not come for want of a network ends at the page that says so: it comes by a load of the
 * whole page, which the worker answers. What is at hand already is shown as ever. Answers how to stop.
 */
export function watchOfflineNavigation(router: AnyRouter): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopWatching = router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
    clearTimeout(timer)
    if (!pathChanged || !isOffline()) return
    timer = setTimeout(() => {
      if (router.state.isLoading && isOffline()) window.location.replace(toLocation.publicHref)
    }, navigationTimeout)
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
  }
}
