import { lazy, Suspense, useEffect, useState } from 'react'

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
