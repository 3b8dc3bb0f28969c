import { lazy, Suspense, useEffect, useState } from 'react'
import { type Failure, failureText } from './failure'
import { i18n } from './i18n'

type Kind = 'success' | 'error'

/** Tells what has happened in a corner of the page. What shows it is loaded with the first use. */
export const notify = (kind: Kind, what: string | Failure): void => {
  const title = typeof what === 'string' ? what : failureText(i18n, what)
  void import('./toasts').then(({ toaster }) => toaster.create({ type: kind, title }))
}

const Toasts = lazy(async () => ({ default: (await import('./toasts')).Toasts }))

/** Where notifications appear. It is loaded when the page is quiet. */
export function ToastPlace() {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(true), 500)
    return () => clearTimeout(timer)
  }, [])
  return <Suspense>{isQuiet && <Toasts />}</Suspense>
}
