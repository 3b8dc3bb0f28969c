import type { AnyRouter } from '@tanstack/react-router'
import { whenIdle } from '~/platform/hydration-boundary'
import { log } from '~/platform/log'

/** The content and look of the offline page. */
export interface OfflinePage {
  name: string
  language: string
  /** Empty: follows the device. */
  theme: 'light' | 'dark' | ''
}

/** Other settings give another URL, so that the worker is replaced. */
const workerAddress = (page: OfflinePage) => `/service-worker.js?${new URLSearchParams({ ...page })}`

/** Milliseconds after which a navigation without network is abandoned. */
const navigationTimeout = 1500

/**
 * Registers the service worker of the offline page once the page is loaded and idle. Returns the
 * function that cancels this; a registered worker stays.
 */
export function registerOfflineWorker(page: OfflinePage): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => {}
  let stopped = false
  const register = () => {
    if (stopped) return
    navigator.serviceWorker
      .register(workerAddress(page), { updateViaCache: 'none' })
      // Private windows refuse workers, and the store may be unreachable.
      .catch((error: unknown) => log('warn', 'The page for visitors without network is not available.', { error }))
  }
  const registerWhenIdle = () => whenIdle(register)
  if (document.readyState === 'complete') registerWhenIdle()
  else window.addEventListener('load', registerWhenIdle, { once: true })
  return () => {
    stopped = true
    window.removeEventListener('load', registerWhenIdle)
  }
}

/** Whether the worker would answer a page load now. */
const isOffline = () => !navigator.onLine && Boolean(navigator.serviceWorker?.controller)

/**
 * Ends a navigation that waits for data without network with a page load, which the worker answers
 * with the offline page. Cached pages open as usual. Returns the function that stops it.
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
