import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

const Hydrated = createContext(false)

let hydrate = () => {}

/**
 * Hydrates the rest of the page at once. React hydrates in parts: the layout first, the page within
 * it when there is time. If the route or the language changed before that, React would compare the
 * page with another one and discard it. Call this before such a change; later calls do nothing.
 */
export const finishHydration = () => hydrate()

/** Wraps everything a page shows. Hydration finishes before the first navigation begins. */
export function HydrationBoundary({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [hydrated, setHydrated] = useState(false)

  useLayoutEffect(() => {
    hydrate = () => {
      hydrate = () => {}
      // A changed context updates the parts that are not hydrated, so React hydrates them first.
      flushSync(() => setHydrated(true))
    }
    return router.subscribe('onBeforeNavigate', finishHydration)
  }, [router])

  return <Hydrated value={hydrated}>{children}</Hydrated>
}
