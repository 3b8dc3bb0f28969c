import { I18nProvider } from '@lingui/react'
import { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import type { LocaleState } from '~/platform/i18n/i18n'
import { createI18n } from '~/platform/i18n/i18n'
import { fadeBetweenPages } from '~/platform/navigation/page-feedback'
import type { PageRequest } from '~/platform/request/request-context'
import { problemOf } from './platform/api/problem'
import { fallbackLocale, isLocale, prefixOf, withoutPrefix, withPrefix } from './platform/i18n/locales'
import { parseSearch, plainSlashes, repairPath, stringifySearch } from './platform/navigation/address'
import type { RequestContext } from './platform/request/request-context'
import { routeTree } from './routeTree.gen'
import { NotFound } from './site/not-found'

const pageRequest = createIsomorphicFn()
  .server((): PageRequest => {
    // The context's own type cannot be read here: the router is part of it.
    const { requestContext } = getGlobalStartContext() as unknown as { requestContext: RequestContext }
    const { locale, prefixed, nonce, origin, surface, requestId, crawler } = requestContext
    return { locale, prefixed, nonce, origin, surface, requestId, crawler }
  })
  .client((): PageRequest => {
    spellAddressAsRouter()
    const { lang, dataset } = document.documentElement
    return {
      locale: isLocale(lang) ? lang : fallbackLocale,
      prefixed: prefixOf(location.pathname) !== undefined,
      nonce: undefined,
      origin: location.origin,
      surface: dataset.theme,
      requestId: document.querySelector<HTMLMetaElement>('meta[name="request-id"]')?.content,
      crawler: false,
    }
  })

/**
 * An address may spell its search in other ways than the router does (`sort=createdAt,ASC` for `createdAt%2CASC`). The server lets
 * that pass; in the browser the router would navigate at once, and the page it takes over would not be the page that came.
 */
function spellAddressAsRouter() {
  const { pathname, search, hash } = location
  const spelt = repairPath(pathname) + stringifySearch(parseSearch(search))
  if (spelt !== pathname + search) history.replaceState(history.state, '', spelt + hash)
}

const retries = 2

/** A router with its own query cache and its own language: one per request on the server, one per page in the browser. */
export async function getRouter() {
  const page = pageRequest()
  const state: LocaleState = { locale: page.locale, prefixed: page.prefixed }
  const i18n = await createI18n(page.locale)
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // What was refused will be refused again; what could not be reached may be reached now.
        retry: (count, error) => typeof window !== 'undefined' && problemOf(error)?.status === 0 && count < retries,
        refetchOnWindowFocus: false,
      },
    },
  })
  const router = createRouter({
    routeTree,
    context: { queryClient, i18n, page, localeState: state },
    parseSearch,
    stringifySearch,
    // A tap is answered: by the pressed link at once, by the next page's own shape from here on.
    defaultPendingMs: 150,
    defaultPendingMinMs: 100,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    // Pages begin where they stand; only the reader's own jumps within a page glide.
    scrollRestorationBehavior: 'instant',
    defaultNotFoundComponent: NotFound,
    rewrite: {
      input: ({ url }) => {
        url.pathname = withoutPrefix(url.pathname)
        return url
      },
      output: ({ url }) => {
        if (state.prefixed) url.pathname = withPrefix(url.pathname, state.locale)
        return url
      },
    },
    Wrap: ({ children }) => <I18nProvider i18n={i18n}>{children}</I18nProvider>,
    ...(page.nonce ? { ssr: { nonce: page.nonce } } : {}),
  })
  // The framework escapes every slash of a request's search before the router compares the address with its own spelling.
  const { parseLocation } = router
  router.parseLocation = (location, previous) => {
    const parsed = parseLocation(location, previous)
    return { ...parsed, publicHref: plainSlashes(parsed.publicHref) }
  }
  fadeBetweenPages(router)
  setupRouterSsrQueryIntegration({ router, queryClient })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Awaited<ReturnType<typeof getRouter>>
  }
  interface StaticDataRouteOption {
    /** Which layout the page stands in; the default one has header and footer. */
    layout?: 'default' | 'error' | 'bare'
    /** The page's text is the store's own content, so it exists in the languages of `loaderData.locales` alone. */
    content?: true
  }
}
