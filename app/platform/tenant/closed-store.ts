import { createIsomorphicFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'

const answerUnavailable = createIsomorphicFn()
  .server(() => setResponseStatus(503))
  .client(() => {})

/** What the two pages of a closed store share: the error layout, 503, when to try again, and no place in search engines. */
export const closedStoreRouteOptions = {
  staticData: { layout: 'error' as const },
  beforeLoad: () => answerUnavailable(),
  headers: () => ({ 'retry-after': '3600', 'x-robots-tag': 'noindex', 'cache-control': 'no-store' }),
  head: () => ({ meta: [{ name: 'robots', content: 'noindex,nofollow' }] }),
}
