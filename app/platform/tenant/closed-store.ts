import { createIsomorphicFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'

const answerUnavailable = createIsomorphicFn()
  .server(() => setResponseStatus(503))
  .client(() => {})

/** The route options of the closed store's pages: error layout, 503, Retry-After and noindex. */
export const closedStoreRouteOptions = {
  staticData: { layout: 'error' as const },
  beforeLoad: () => answerUnavailable(),
  headers: () => ({ 'retry-after': '3600', 'x-robots-tag': 'noindex', 'cache-control': 'no-store' }),
  head: () => ({ meta: [{ name: 'robots', content: 'noindex,nofollow' }] }),
}
