import { lazy, Suspense, useEffect, useState } from 'react'
import { type Failure, failureTextAlone } from './failure'
import { i18n } from './i18n'

type Kind = 'success' | 'error'

/** Shows a notification in a corner of the page. Its component is loaded on first use. */
export const notify = (kind: Kind, content: string | Failure): void => {
  const title = typeof content === 'string' ? content : failureTextAlone(i18n, content)
  void import('./toasts').then(({ showToast }) => showToast(kind, title))
}

const Toasts = lazy(async () => ({ default: (await import('./toasts')).Toasts }))

/** The area of the notifications, which is loaded after the page. */
export function ToastRegion() {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(true), 500)
    return () => clearTimeout(timer)
  }, [])
  return <Suspense>{isQuiet && <Toasts />}</Suspense>
}
