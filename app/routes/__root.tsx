import { files as messageFiles } from 'virtual:message-files'
import { files as routeFiles } from 'virtual:route-files'
import { LocaleProvider } from '@ark-ui/react/locale'
import latinFont from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import type { I18n } from '@lingui/core'
import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRouteMatch,
  createRootRouteWithContext,
  Outlet,
  Scripts,
  useMatches,
  useRouter,
} from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { type ReactNode, useEffect } from 'react'
import { directionOf } from '#contract/direction.ts'
import { frameQuery } from '~/features/content/content.functions'
import { ModalContainer as ModalContainerNow } from '~/modals/modal-container'
import { watchChunkErrors } from '~/platform/builds'
import { newVisitorAttribute } from '~/platform/cookies'
import { type HeadPage, siteHead } from '~/platform/document/head'
import {
  HydrationBoundary,
  hydratedLater,
  inSuspense,
  loadedLater,
  routesAttribute,
} from '~/platform/hydration-boundary'
import { type LocaleState, pageMessagesAttribute, withMessages } from '~/platform/i18n/i18n'
import { type Locale, withPrefix } from '~/platform/i18n/locales'
import { markPressedLink } from '~/platform/navigation/page-feedback'
import { rootGuard as rootGuardNow } from '~/platform/navigation/root-guard'
import { sharedSearch } from '~/platform/navigation/search-schema'
import type { PageRequest } from '~/platform/request/request-context'
import { ShellContext, siteSettingsQuery, useShellData } from '~/platform/shell/shell.functions'
import { DocumentHead, surfaceOf, themeCss, useFailure } from '~/site/document-head'
import { ErrorLayout, ErrorScreen } from '~/site/error-screen'
import { DefaultLayout } from '~/site/layout/default-layout'
import { AppAreas } from '~/site/layout/later-parts'
import { NotFound } from '~/site/message-page'

export interface RouterContext {
  queryClient: QueryClient
  i18n: I18n
  page: PageRequest
  localeState: LocaleState
}

/** The guard, which only navigations need, and all messages, which the next page may need. */
const loadGuard = createIsomorphicFn()
  .server(async () => rootGuardNow)
  .client(async () => (await withMessages(import('~/platform/navigation/root-guard'))).rootGuard)
loadedLater(async () => void (await loadGuard()))

const ModalContainer = createIsomorphicFn()
  .server(() => inSuspense(ModalContainerNow))
  .client(() => hydratedLater(() => withMessages(import('~/modals/modal-container')).then((m) => m.ModalContainer)))()

export const Route = createRootRouteWithContext<RouterContext>()({
  validateSearch: sharedSearch,
  beforeLoad: async ({ context, location, matches, preload }) => {
    const rootGuard = await loadGuard()
    await rootGuard({
      queryClient: context.queryClient,
      location,
      routeFound: matches.length > 1,
      inLanguage: (path) => (context.localeState.prefixed ? withPrefix(path, context.localeState.locale) : path),
      preload,
    })
  },
  loader: async ({ context, location }) => {
    // A closed store shows neither banner nor footer.
    if (!location.pathname.startsWith('/customer/'))
      await context.queryClient.ensureQueryData(frameQuery).catch(() => {})
  },
  head: ({ match, matches }) => {
    const settings = match.context.queryClient.getQueryData(siteSettingsQuery.queryKey)
    // Loaders that find nothing show this route's 404, like unknown paths.
    const isPageFound =
      matches.length > 1 && !matches.some(({ status, _notFound }) => status !== 'success' || _notFound)
    const page = matches.at(-1)
    // A page with 410 loads null.
    const named = isPageFound && page && page.loaderData !== null
    const head = siteHead(match.context, named ? headPageOf(page) : null)
    return {
      meta: head.meta,
      links: [
        ...preloadMessages(match.context, page),
        ...preloadRoutes(match.context, page),
        { rel: 'preload', href: latinFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
        ...head.links,
      ],
      styles: [{ children: themeCss(settings?.theme) }],
    }
  },
  shellComponent: Document,
  component: App,
  notFoundComponent: NotFound,
  errorComponent: ErrorScreen,
})

/** The page's data for the head. */
function headPageOf({ fullPath, params, search, staticData, loaderData }: AnyRouteMatch): HeadPage {
  // `AnyRouteMatch` does not know what the loader of the page returns.
  const { locales, canonicalParams } = (loaderData ?? {}) as {
    locales?: Locale[]
    /** Replaces the URL's params if a page has several names. */
    canonicalParams?: Record<string, string>
  }
  return {
    route: fullPath,
    params: { ...params, ...canonicalParams },
    search,
    content: staticData.content ? { translated: locales } : null,
  }
}

/**
 * Preloads the page's messages together with the first scripts. `i18n.ts` finds them by the link.
 */
function preloadMessages({ localeState: { locale }, page }: RouterContext, match: AnyRouteMatch | undefined) {
  const href = match && messageFiles[locale]?.[match.routeId]
  return href ? [{ rel: 'modulepreload', href, nonce: page.nonce, [pageMessagesAttribute]: '' }] : []
}

/** Preloads the routes that the first script lacks, with the first scripts of their pages. */
function preloadRoutes({ page }: RouterContext, match: AnyRouteMatch | undefined) {
  const file = match && routeFiles[match.routeId]
  return file ? [{ rel: 'modulepreload', href: file.href, nonce: page.nonce, [routesAttribute]: file.routes }] : []
}

function Document({ children }: { children: ReactNode }) {
  const { localeState, page, queryClient } = Route.useRouteContext()
  const theme = queryClient.getQueryData(siteSettingsQuery.queryKey)?.theme
  return (
    <html
      lang={localeState.locale}
      dir={directionOf(localeState.locale)}
      data-theme={surfaceOf(theme, page.surface)}
      {...(page.isAnonymous && { [newVisitorAttribute]: '' })}
      suppressHydrationWarning
    >
      <head>
        <DocumentHead />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

const layouts = {
  default: DefaultLayout,
  error: ErrorLayout,
  bare: ({ children }: { children: ReactNode }) => children,
}

function App() {
  const layout = useMatches({ select: (matches) => matches.findLast((m) => m.staticData.layout)?.staticData.layout })
  const { page, localeState } = Route.useRouteContext()
  const failure = useFailure()
  const router = useRouter()
  const shell = useShellData()
  useEffect(() => markPressedLink(router), [router])
  useEffect(() => watchChunkErrors(() => router.latestLocation.publicHref), [router])
  // The failed component may be in the page's layout.
  if (page.failure) return <ErrorScreen error={page.failure.error} reset={() => {}} />
  const Layout = layouts[failure ? 'bare' : (layout ?? 'default')]
  return (
    // Sets the text direction of menus and dialogs.
    <LocaleProvider locale={localeState.locale}>
      <ShellContext value={shell}>
        <HydrationBoundary>
          <Layout>{failure ? <ErrorScreen error={failure.error} reset={() => {}} /> : <Outlet />}</Layout>
        </HydrationBoundary>
        <AppAreas />
        <ModalContainer />
      </ShellContext>
    </LocaleProvider>
  )
}
