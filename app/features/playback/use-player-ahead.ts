import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preloadEngine } from './load-engine'

/** Whether what may not be needed after all is too dear: the person said so, or the line is slow. */
const isSparing = () => {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean; effectiveType?: string } }
  return Boolean(connection?.saveData) || /2g|3g/.test(connection?.effectiveType ?? '')
}

/** Fetches the player in a quiet moment of a page whose first button leads to it. */
export function usePlayerAhead(): void {
  const router = useRouter()
  useEffect(() => {
    if (isSparing()) return
    const fetchPlayer = () => {
      preloadEngine()
      router.loadRouteChunk(router.routesByPath['/products/$code/watch'])?.catch(() => {})
    }
    if (!window.requestIdleCallback) return fetchPlayer()
    const quiet = requestIdleCallback(fetchPlayer)
    return () => cancelIdleCallback(quiet)
  }, [router])
}
