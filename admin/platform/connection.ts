import { useSyncExternalStore } from 'react'

const subscribe = (onChange: () => void) => {
  const change = new AbortController()
  for (const event of ['online', 'offline'] as const) window.addEventListener(event, onChange, change)
  return () => change.abort()
}

/** Whether the browser has a connection. */
export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
