import { useLingui } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import { ClientOnly, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { watchBuilds, watchChunkErrors } from '~/platform/builds'
import { siteName } from '~/platform/document/head'
import { restoreFocus } from '~/platform/focus'
import { onLocaleSwitch } from '~/platform/i18n/i18n'
import { localeNames } from '~/platform/i18n/locales'
import { log } from '~/platform/log'
import { markPressedLink } from '~/platform/navigation/page-feedback'
import { registerOfflineWorker, watchOfflineNavigation } from '~/platform/offline/offline-worker'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import { VisuallyHidden } from '~/ui/visibility'
import { LeaveGuard } from './leave-guard'

const ToastHost = lazy(() => import('./toast-host').then((m) => ({ default: m.ToastHost })))

/** What every page has besides itself: the toast area, the announcement of a new page, the question before a half-filled form is left, the watch for newer builds. */
export function AppAreas() {
  const router = useRouter()

  useEffect(() => watchBuilds((error) => log('warn', 'The build manifest could not be read.', { error })), [])
  useEffect(restoreFocus, [])
  useOfflinePage()
  useEffect(() => watchOfflineNavigation(router), [router])
  useEffect(() => markPressedLink(router), [router])
  useEffect(() => watchChunkErrors(() => router.latestLocation.publicHref), [router])

  return (
    <>
      <RouteAnnouncer />
      <LeaveGuard />
      <ClientOnly>
        <Suspense>
          <ToastHost />
        </Suspense>
      </ClientOnly>
    </>
  )
}

/** Keeps the page for visitors without network in the store's name and the visitor's language. */
function useOfflinePage() {
  const { i18n } = useLingui()
  const { data: settings } = useQuery({ ...siteSettingsQuery, enabled: false })
  const name = siteName(settings)
  const surface = settings?.theme.surface
  const theme = surface === 'light' || surface === 'dark' ? surface : ''
  useEffect(() => registerOfflineWorker({ name, language: i18n.locale, theme }), [name, i18n.locale, theme])
}

/**
 * After a navigation the focus goes to the page's content, and its title is said aloud. Whoever has gone on to something else
 * meanwhile, a menu of the header say, stays there.
 */
function RouteAnnouncer() {
  const router = useRouter()
  const [title, setTitle] = useState('')
  useEffect(() => {
    let leftFrom: Element | null = null
    const stopLeaving = router.subscribe('onBeforeNavigate', () => {
      leftFrom = document.activeElement
    })
    const stopArriving = router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
      if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
      const { activeElement, body } = document
      const wentOn = activeElement !== body && activeElement !== leftFrom
      if (!toLocation.hash && !wentOn) document.getElementById('main')?.focus({ preventScroll: true })
      setTitle(document.title)
    })
    return () => {
      stopLeaving()
      stopArriving()
    }
  }, [router])
  // A new language is said in its own words.
  useEffect(() => onLocaleSwitch('after', ({ to }) => setTitle(localeNames[to])), [])
  return (
    <div aria-live="polite" aria-atomic>
      <VisuallyHidden>{title}</VisuallyHidden>
    </div>
  )
}
