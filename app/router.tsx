// The first import, so that styles of components come after these.
import '~/ui/styles/all.css'
import { msg } from '@lingui/core/macro'
import { I18nProvider } from '@lingui/react'
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { type AnyRouter, createRouter } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import { withoutTiles } from '~/features/catalog/products.functions'
import {
  finishHydration,
  hydrateBeforeNavigation,
  loadedLater,
  onFirstMovement,
  routesAttribute,
} from '~/platform/hydration-boundary'
import type { LocaleState } from '~/platform/i18n/i18n'
import { createI18n } from '~/platform/i18n/i18n'
import { estimateHeightsBelow, showSkeletonsOfOtherPages } from '~/platform/navigation/page-feedback'
import type { PageRequest } from '~/platform/request/request-context'
import { NotFound } from '~/site/message-page'
import { parseSearch, plainSlashes, repairPath, stringifySearch } from './platform/address'
import { problemOf } from './platform/api/problem'
import { isNewVisitor } from './platform/cookies'
import { fallbackLocale, isLocale, prefixOf, withoutPrefix, withPrefix } from './platform/i18n/locales'
import { shortenPageState } from './platform/page-state'
import type { RequestContext } from './platform/request/request-context'
import { showToast } from './platform/toasts/toasts'
import { routeTree } from './routeTree.gen'

const pageRequest = createIsomorphicFn()
  .server((): PageRequest => {
    // The context's type depends on the router's, so it cannot be inferred here.
    const { requestContext } = getGlobalStartContext() as unknown as { requestContext: RequestContext }
    const { locale, prefixed, nonce, origin, surface, requestId, crawler, isAnonymous } = requestContext
    return { locale, prefixed, nonce, origin, surface, requestId, crawler, isAnonymous }
  })
  .client((): PageRequest => {
    normalizeAddress()
    const { lang, dataset } = document.documentElement
    return {
      locale: isLocale(lang) ? lang : fallbackLocale,
      prefixed: prefixOf(location.pathname) !== undefined,
      nonce: undefined,
      origin: location.origin,
      surface: dataset.theme,
      requestId: document.querySelector<HTMLMetaElement>('meta[name="request-id"]')?.content,
      crawler: false,
      isAnonymous: isNewVisitor(),
    }
  })

/**
 * Rewrites the URL's search as the router serializes it (`createdAt%2CASC` for `createdAt,ASC`).
 * Otherwise the router would navigate at once in the browser, before hydration.
 */
function normalizeAddress() {
  const { pathname, search, hash } = location
  const normalized = repairPath(pathname) + stringifySearch(parseSearch(search))
  if (normalized !== pathname + search) history.replaceState(history.state, '', normalized + hash)
}

const retries = 2

/** Adds the routes that the first script lacks: those of the page itself at once, others later. */
async function addLaterRoutes(router: AnyRouter): Promise<void> {
  if (import.meta.env.SSR || import.meta.env.DEV) return
  const load = async (routes: Promise<unknown>) => {
    await routes
    router.setRoutes(router.buildRouteTree())
  }
  const trees: Record<string, () => Promise<void>> = {
    personal: loadedLater(() => load(import('virtual:routes/personal'))),
    members: loadedLater(() => load(import('virtual:routes/members'))),
    public: loadedLater(() => load(import('virtual:routes/public'))),
  }
  // The server names those of a page that needs them.
  const needed = document.querySelector(`[${routesAttribute}]`)?.getAttribute(routesAttribute)
  await trees[needed ?? '']?.()
}

/**
 * Creates a router with its own query cache and language: one per request on the server, one per
 * page in the browser.
 */
export async function getRouter() {
  const page = pageRequest()
  const state: LocaleState = { locale: page.locale, prefixed: page.prefixed }
  const i18n = await createI18n(page.locale)
  const queryClient = new QueryClient({
    mutationCache: new MutationCache({
      onMutate: () => {
        if (!navigator.onLine)
          showToast({
            severity: 'warn',
            summary: msg`You’re offline.`,
            detail: msg`This will be sent when you’re back online. Keep this page open.`,
          })
        // A write changes the cache before its answer.
        return finishHydration()?.catch(() => {})
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Retries only if the server could not be reached.
        retry: (count, error) => typeof window !== 'undefined' && problemOf(error)?.status === 0 && count < retries,
        refetchOnWindowFocus: false,
      },
    },
  })
  // An inline script restores the scroll position of a loaded page (`render-page.tsx`). Restoring
  // it again at hydration would move a visitor who has scrolled meanwhile.
  let hasNavigated = false
  let loadedKey: string | undefined
  const router = createRouter({
    routeTree,
    context: { queryClient, i18n, page, localeState: state },
    parseSearch,
    stringifySearch,
    defaultPendingMinMs: 100,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: ({ location }) => {
      hasNavigated ||= typeof window !== 'undefined' && location.state.__TSR_key !== loadedKey
      return hasNavigated
    },
    // Only jumps within a page scroll smoothly.
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
  // The framework escapes slashes in the search before the router compares the URL with its own.
  const { parseLocation } = router
  router.parseLocation = (location, previous) => {
    const parsed = parseLocation(location, previous)
    return { ...parsed, publicHref: plainSlashes(parsed.publicHref) }
  }
  if (typeof window !== 'undefined') {
    loadedKey = window.history.state?.__TSR_key
    const loadCards = () => import('~/features/catalog/product/cards-in-view').then((m) => m.loadCards(router))
    onFirstMovement(() => void loadCards().catch(() => {}))
    // The router knows only positions that changed while it ran.
    router.subscribe('onRendered', () => {
      if (!hasNavigated && window.scrollY > 0) document.dispatchEvent(new Event('scroll'))
    })
  }
  await addLaterRoutes(router)
  hydrateBeforeNavigation(router)
  // The key of `productPageQuery`, which the first script has no other use for.
  showSkeletonsOfOtherPages(router, (code) => queryClient.getQueryData(['product', code]))
  estimateHeightsBelow(router)
  setupRouterSsrQueryIntegration({ router, queryClient, dehydrateOptions: { serializeData: withoutTiles } })
  shortenPageState(router)
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: Awaited<ReturnType<typeof getRouter>>
  }
  interface StaticDataRouteOption {
    /** The page's layout. The default one has header and footer. */
    layout?: 'default' | 'error' | 'bare'
    /**
     * Set where the page's text is the store's own content: it exists only in the languages of
     * `loaderData.locales`.
     */
    content?: true
  }
}
