import { I18nProvider, useLingui } from '@lingui/react'
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { RouterContextProvider, useRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { LRUCache } from 'lru-cache'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { contractQuery } from '~/platform/shell/shell.functions'

/** Characters of all items: about 5,000 cards. */
const cacheCharacters = 8_000_000
/** Milliseconds. What depends on the time, such as "New", may be this old. */
const freshFor = 60_000

const items = new LRUCache<string, string>({
  maxSize: cacheCharacters,
  ttl: freshFor,
  sizeCalculation: (html, key) => html.length + key.length,
})

interface CachedItemProps {
  /** All that the content shows, with the state of the viewer. */
  content: object
  children: ReactNode
}

/**
 * A list item whose HTML the server caches by what it shows, for all visitors to whom it shows the
 * same. The browser renders the children as ever.
 */
export const CachedItem = createIsomorphicFn()
  .server(function CachedItem({ content, children }: CachedItemProps): ReactNode {
    const router = useRouter()
    const queryClient = useQueryClient()
    const { i18n } = useLingui()
    const { prefixed } = router.options.context.localeState
    // On a product's own pages, its links are marked as the current ones.
    const { pathname } = router.state.location
    const page = pathname.startsWith('/products/') && pathname
    const version = queryClient.getQueryData(contractQuery.queryKey)?.version
    const key = [version, i18n.locale, prefixed, page, JSON.stringify(content)].join(' ')
    let html = items.get(key)
    if (html === undefined) {
      html = renderToString(
        <RouterContextProvider router={router}>
          <QueryClientProvider client={queryClient}>
            <I18nProvider i18n={i18n}>{children}</I18nProvider>
          </QueryClientProvider>
        </RouterContextProvider>,
      )
      items.set(key, html)
    }
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React has rendered it.
    return <li dangerouslySetInnerHTML={{ __html: html }} />
  })
  .client(function CachedItem({ children }: CachedItemProps): ReactNode {
    return <li>{children}</li>
  })
