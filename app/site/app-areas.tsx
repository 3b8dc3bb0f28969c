import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ClientOnly, useBlocker, useRouter } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { watchBuilds, watchChunkErrors } from '~/platform/builds'
import { siteName } from '~/platform/document/head'
import { restoreFocus } from '~/platform/focus'
import { hasDirtyForm, useHasDirtyForm } from '~/platform/forms/dirty-forms'
import { onLocaleSwitch } from '~/platform/i18n/i18n'
import { localeNames } from '~/platform/i18n/locales'
import { log } from '~/platform/log'
import { markPressedLink } from '~/platform/navigation/page-feedback'
import { registerOfflineWorker, watchOfflineNavigation } from '~/platform/offline/offline-worker'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import type { DialogProps } from '~/ui/dialog'
import { VisuallyHidden } from '~/ui/visibility'

/** How long the question may take to arrive, in milliseconds. */
const dialogTimeout = 2_000

/**
 * Asks once before a navigation leaves a page with a half-filled form. Whoever stays finds the form as it was. Another search on the
 * same page keeps the form, so it does not ask.
 */
function LeaveGuard() {
  const { t } = useLingui()
  const dirty = useHasDirtyForm()
  const [Dialog, setDialog] = useState<ComponentType<DialogProps>>()
  const router = useRouter()
  // The form stays in the document until the next page is shown; no second confirmation meanwhile.
  const leaving = useRef(false)
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        leaving.current = false
      }),
    [router],
  )
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasDirtyForm() && !leaving.current && current.pathname !== next.pathname,
    withResolver: true,
    // Each dirty form asks the browser by itself.
    enableBeforeUnload: false,
    disabled: !dirty,
  })
  const title = t`Leave this page?`
  const consequence = t`What you typed will be lost.`

  // Fetched with the first letter typed, so that the question is there when it is needed, even offline.
  useEffect(() => {
    if (dirty && !Dialog)
      import('~/ui/dialog').then(
        (module) => setDialog(() => module.Dialog),
        () => {},
      )
  }, [dirty, Dialog])
  useEffect(() => {
    if (status !== 'blocked' || Dialog) return
    const ask = () => {
      if (!window.confirm(`${title}\n${consequence}`)) return reset()
      leaving.current = true
      proceed()
    }
    // The dialog may still be on its way. The browser's own question stands in where it does not come.
    const late = setTimeout(ask, dialogTimeout)
    return () => clearTimeout(late)
  }, [status, Dialog, proceed, reset, title, consequence])
  const leave = () => {
    leaving.current = true
    proceed?.()
  }

  if (!Dialog) return null
  return (
    <Dialog
      open={status === 'blocked'}
      alert
      onClose={() => reset?.()}
      title={title}
      description={consequence}
      closeLabel={t`Close`}
      footer={
        <>
          <Button onClick={() => reset?.()}>
            <Trans>Keep editing</Trans>
          </Button>
          <Button variant="danger" onClick={leave}>
            <Trans>Leave page</Trans>
          </Button>
        </>
      }
    />
  )
}

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
  // The announcement is in the new language.
  useEffect(() => onLocaleSwitch('after', ({ to }) => setTitle(localeNames[to])), [])
  return (
    <div aria-live="polite" aria-atomic>
      <VisuallyHidden>{title}</VisuallyHidden>
    </div>
  )
}
