import { createToaster } from '@ark-ui/react/toast'
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isSignedOut } from '~/platform/api/problem'
import { labels } from '~/platform/labels'
import { onToast, type Toast } from '~/platform/toasts/toasts'
import { headerId } from '~/site/header/header'
import { ToastArea, toastTypes } from '~/ui/toast-area'

const edge = '1rem'
const toaster = createToaster({
  placement: 'top-end',
  overlap: false,
  gap: 8,
  pauseOnPageIdle: true,
  offsets: { top: `calc(var(--header-end, 0px) + ${edge})`, bottom: edge, left: edge, right: edge },
})

/** The toasts that stay after the next navigation. */
const surviving = new Set<string>()

/** Shows the platform's toasts, in the page's language. */
export function ToastHost() {
  const { t, i18n } = useLingui()
  const router = useRouter()
  const [silent, setSilent] = useState(false)

  useEffect(() => {
    let unsubscribe: (() => void) | undefined
    // The area takes no toasts within the task in which it is mounted.
    const timer = setTimeout(() => {
      unsubscribe = onToast((toast) => {
        setSilent(toast.silent ?? false)
        show(isSignedOut(toast.code) ? { action: signInAction(router), ...toast } : toast, i18n)
      })
    })
    return () => {
      clearTimeout(timer)
      unsubscribe?.()
    }
  }, [i18n, router])
  useEffect(
    () => router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && closeToastsOfPage()),
    [router],
  )
  useEffect(trackHeaderEnd, [])

  return <ToastArea toaster={toaster} label={t`Notifications`} silent={silent} closeLabel={i18n._(labels.close)} />
}

/** Leads to sign in and back to the page. */
const signInAction = (router: AnyRouter): Toast['action'] => ({
  label: msg`Sign in`,
  run: () => void router.navigate({ to: '/login', search: { redirect: router.latestLocation.href } }),
})

function show(toast: Toast, i18n: I18n) {
  if (toast.signal?.aborted) return
  const options = toToastOptions(toast, i18n)
  // Equal failures of several calls share one toast, whose timer restarts.
  const same = toaster
    .getVisibleToasts()
    .find((other) => other.title === options.title && other.description === options.description)
  const id = toaster.create({ ...options, ...(same?.id !== undefined && { id: same.id }) })
  if (toast.survivesNavigation) surviving.add(id)
  toast.signal?.addEventListener('abort', () => toaster.dismiss(id))
}

/** Toasts concern the page on which they appeared. */
function closeToastsOfPage() {
  for (const { id } of toaster.getVisibleToasts()) {
    if (id !== undefined && !surviving.delete(id)) toaster.dismiss(id)
  }
}

/**
 * Sets the toast area's offset to the end of the header, which some pages lack and above which a
 * banner may scroll away.
 */
function trackHeaderEnd() {
  let lastEnd = -1
  const measure = () => {
    const end = Math.max(0, Math.round(document.getElementById(headerId)?.getBoundingClientRect().bottom ?? 0))
    if (end === lastEnd) return
    lastEnd = end
    document.documentElement.style.setProperty('--header-end', `${end}px`)
  }
  const stopListening = toaster.subscribe(measure)
  window.addEventListener('scroll', measure, { passive: true })
  window.addEventListener('resize', measure)
  measure()
  return () => {
    stopListening()
    window.removeEventListener('scroll', measure)
    window.removeEventListener('resize', measure)
  }
}

const translated = (text: MessageDescriptor | string, i18n: I18n) => (typeof text === 'string' ? text : i18n._(text))

const toToastOptions = ({ severity, summary, detail, code, life, closable, action }: Toast, i18n: I18n) => ({
  type: toastTypes[severity],
  title: translated(summary, i18n),
  duration: life,
  closable,
  ...(detail ? { description: translated(detail, i18n) } : {}),
  // The code is for a report of a fault, which a refused change of a mere view is not.
  ...(code && code !== 'READ_ONLY' ? { meta: { code } } : {}),
  ...(action ? { action: { label: translated(action.label, i18n), onClick: action.run } } : {}),
})
