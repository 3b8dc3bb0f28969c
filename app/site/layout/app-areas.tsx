import { Trans, useLingui } from '@lingui/react/macro'
import { type AnyRouter, useBlocker, useRouter } from '@tanstack/react-router'
import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react'
import { onSignedOut } from '~/platform/api/call'
import { watchBuilds } from '~/platform/builds'
import { siteName } from '~/platform/document/head'
import { restoreFocus } from '~/platform/focus'
import { losesInput, useHasDirtyForm } from '~/platform/forms/dirty-forms'
import { onFirstMovement, whenIdle } from '~/platform/hydration-boundary'
import { onLocaleSwitch, withMessages } from '~/platform/i18n/i18n'
import { localeNames } from '~/platform/i18n/locales'
import { log } from '~/platform/log'
import { registerOfflineWorker, watchOfflineNavigation } from '~/platform/offline/offline-worker'
import { siteSettingsQuery, useLoaded } from '~/platform/shell/shell.functions'
import { onFirstToast } from '~/platform/toasts/toasts'
import { Button } from '~/ui/button'
import type { DialogProps } from '~/ui/dialog'
import { lazyPart, VisuallyHidden } from '~/ui/visibility'

/** Milliseconds to wait for the dialog's code. */
const dialogTimeout = 2_000

/**
 * Asks for confirmation before a navigation leaves a page with a partly filled form. Changing only
 * the search parameters does not ask, because the form stays.
 */
function LeaveGuard() {
  const { t } = useLingui()
  const dirty = useHasDirtyForm()
  const [Dialog, setDialog] = useState<ComponentType<DialogProps>>()
  const router = useRouter()
  // The form stays in the document until the next page is rendered. Prevents a second dialog.
  const leaving = useRef(false)
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        leaving.current = false
      }),
    [router],
  )
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      losesInput(next.pathname) && !leaving.current && current.pathname !== next.pathname,
    withResolver: true,
    // Each dirty form handles `beforeunload` itself.
    enableBeforeUnload: false,
    disabled: !dirty,
  })
  const title = t`Leave this page?`
  const consequence = t`What you typed will be lost.`

  // Fetched after the first input, so that the dialog also works offline.
  useEffect(() => {
    if (dirty && !Dialog)
      import('~/ui/dialog').then(
        (module) => setDialog(() => module.Dialog),
        () => {},
      )
  }, [dirty, Dialog])
  useEffect(() => {
    if (status !== 'blocked' || Dialog) return
    const confirmInBrowser = () => {
      if (!window.confirm(`${title}\n${consequence}`)) return reset()
      leaving.current = true
      proceed()
    }
    // If the dialog's code does not load in time, the browser's own dialog is used.
    const timer = setTimeout(confirmInBrowser, dialogTimeout)
    return () => clearTimeout(timer)
  }, [status, Dialog, proceed, reset, title, consequence])
  const proceedAndLeave = () => {
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
          <Button variant="danger" onClick={proceedAndLeave}>
            <Trans>Leave page</Trans>
          </Button>
        </>
      }
    />
  )
}

const ToastHost = lazyPart(() => withMessages(import('./toast-host').then((m) => m.ToastHost)))

const followSessionEnd = (router: AnyRouter) =>
  withMessages(import('~/platform/session/session-change'))
    .then(({ onSessionEnd }) => onSessionEnd(router))
    .catch(() => {})

/**
 * Parts of every page: the toast area, the route announcer, the confirmation before leaving a
 * partly filled form, the check for newer builds, and what follows the end of a session.
 */
export function AppAreas() {
  const router = useRouter()
  const hasToasts = useToasts()

  useEffect(() => watchBuilds((error) => log('warn', 'The build manifest could not be read.', { error })), [])
  useEffect(restoreFocus, [])
  useEffect(() => onSignedOut(() => void followSessionEnd(router)), [router])
  useOfflinePage()
  useEffect(() => watchOfflineNavigation(router), [router])

  return (
    <>
      <RouteAnnouncer />
      <LeaveGuard />
      {hasToasts && (
        <Suspense>
          <ToastHost />
        </Suspense>
      )}
    </>
  )
}

/** Whether to show the toast area: from the first movement or the first toast on. */
function useToasts(): boolean {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    const mount = () => setWanted(true)
    // The first movement may be a press, whose page comes first.
    const ends = [onFirstMovement(() => whenIdle(mount)), onFirstToast(mount)]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return isWanted
}

/** Updates the store's name and the language of the offline page. */
function useOfflinePage() {
  const { i18n } = useLingui()
  const settings = useLoaded({ ...siteSettingsQuery, enabled: false })
  const name = siteName(settings)
  const surface = settings?.theme.surface
  const theme = surface === 'light' || surface === 'dark' ? surface : ''
  useEffect(() => registerOfflineWorker({ name, language: i18n.locale, theme }), [name, i18n.locale, theme])
}

/**
 * After a navigation, moves the focus to the page's content and announces its title. The focus
 * stays if the visitor has moved it meanwhile, for example to a menu.
 */
function RouteAnnouncer() {
  const router = useRouter()
  const [title, setTitle] = useState('')
  useEffect(() => {
    let previousFocus: Element | null = null
    const unsubscribeNavigate = router.subscribe('onBeforeNavigate', () => {
      previousFocus = document.activeElement
    })
    const unsubscribeRendered = router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
      if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
      const focusContent = () => {
        const { activeElement, body } = document
        const hasMovedFocus = activeElement !== body && activeElement !== previousFocus
        if (!hasMovedFocus) document.getElementById('main')?.focus({ preventScroll: true })
      }
      // After the page's first frame: the focus needs the whole layout.
      if (!toLocation.hash) requestAnimationFrame(() => setTimeout(focusContent))
      setTitle(document.title)
    })
    return () => {
      unsubscribeNavigate()
      unsubscribeRendered()
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
