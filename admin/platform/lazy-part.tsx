import { msg } from '@lingui/core/macro'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { failureOf } from './failure'
import { i18n, withMessages } from './i18n'
import { notify } from './notifications'
import { retryAfter } from './until-loaded'

/** Waits until the browser has nothing else to do, but at most for a second. */
const whenQuiet = (): Promise<void> =>
  new Promise((resolve) => {
    // Not every browser says when it is idle.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1_000 })
    else setTimeout(resolve, 200)
  })

interface LazyPartOptions<Props> {
  /** What is in the place of the part until it is loaded. */
  waiting?: ComponentType<Props>
  /** Loads the part once the page is quiet. */
  whenQuiet?: boolean
}

/**
 * A part of a page whose code and messages are loaded when it is first shown. The page stays if
 * that fails, for want of a connection or because a newer build has replaced the code: a dialog
 * closes with a notification, and opening it again tries once more; any other part is loaded when
 * the connection is back, or after a while.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { waiting: Waiting, whenQuiet: isLater = false }: LazyPartOptions<Props> = {},
) => {
  let loaded: ComponentType<Props> | undefined
  return function LazyPart(props: Props & { onClose?: () => void }) {
    const [Part, setPart] = useState(() => loaded)
    const fail = useEffectEvent((error: unknown, retry: () => void, signal: AbortSignal) => {
      if (props.onClose) {
        const text = msg`This could not be loaded. Reload the page and try again.`
        notify('error', navigator.onLine ? i18n._(text) : failureOf(error))
        props.onClose()
      } else if (navigator.onLine) {
        const timer = setTimeout(retry, retryAfter)
        signal.addEventListener('abort', () => clearTimeout(timer))
      } else window.addEventListener('online', retry, { once: true, signal })
    })
    useEffect(() => {
      if (loaded) return
      const shown = new AbortController()
      const begin = async () => {
        if (isLater) await whenQuiet()
        if (shown.signal.aborted) return
        try {
          const { default: part } = await withMessages(load())
          loaded = part
          if (!shown.signal.aborted) setPart(() => part)
        } catch (error) {
          if (!shown.signal.aborted) fail(error, () => void begin(), shown.signal)
        }
      }
      void begin()
      return () => shown.abort()
    }, [])
    if (Part) return <Part {...props} />
    return Waiting ? <Waiting {...props} /> : null
  }
}
