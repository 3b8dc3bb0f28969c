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
