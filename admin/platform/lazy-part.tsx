import { msg } from '@lingui/core/macro'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { failureOf } from './failure'
import { i18n } from './i18n'
import { notify } from './notifications'

/** Milliseconds until a part is loaded again that the server did not give. */
const retryAfter = 30_000

/**
 * A part of a page whose code is loaded when it is first shown. The page stays if that fails, for
 * want of a connection or because a newer build has replaced the code: a dialog closes with a
 * notification, and opening it again tries once more; any other part is loaded when the connection
 * is back, or after a while.
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) => {
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
      const begin = () =>
        load().then(
          ({ default: part }) => {
            loaded = part
            if (!shown.signal.aborted) setPart(() => part)
          },
          (error: unknown) => {
            if (!shown.signal.aborted) fail(error, begin, shown.signal)
          },
        )
      void begin()
      return () => shown.abort()
    }, [])
    return Part ? <Part {...props} /> : null
  }
}
