// The first import, so that styles of components come after these.
import '~/ui/styles/all.css'
import { I18nProvider } from '@lingui/react'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { addIcons } from '~/ui/icon'
import { moreIcons } from '~/ui/more-icons'
import { failureOf, isSignedOut } from './platform/failure'
import { i18n, preferredLanguage, startLanguage } from './platform/i18n'
import { preferredTheme, showTheme } from './platform/preferences'
import { meKey } from './platform/session'
import { untilLoaded } from './platform/until-loaded'
import { Start, storeQuery } from './shell/start'

showTheme(preferredTheme())

addIcons(moreIcons)

// The sign-in form needs no pages. They load beside the first calls of the API.
const router = untilLoaded(() => import('./router'))
const Pages = lazy(async () => ({ default: (await router).Pages }))

/** A session that has ended anywhere brings the sign-in form to where the person is. */
const onError = (error: unknown) => {
  if (isSignedOut(error)) queryClient.setQueryData(meKey, null)
  if (failureOf(error).code === 'SECOND_FACTOR_REQUIRED') void queryClient.invalidateQueries({ queryKey: meKey })
}

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // Without a connection a call fails at once, and says so. Nothing is sent later by itself.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      // Only what did not reach the API is tried again.
      retry: (count, error) => failureOf(error).status === 0 && count < 1,
    },
  },
})

const place = document.getElementById('console')
if (!place) throw new Error('The document has no place for the console')

// Beside the messages.
void queryClient.prefetchQuery(storeQuery)
const language = preferredLanguage()
await untilLoaded(() => startLanguage(language))
createRoot(place).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Start>
          <Pages />
        </Start>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
