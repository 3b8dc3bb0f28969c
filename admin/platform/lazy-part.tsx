import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { failureOf } from './failure'
import { notify } from './notifications'

/**
 * A part of a page whose code is loaded when it is first shown. The page stays if that fails, for
 * want of a connection: a dialog closes with a notification, and opening it again tries once more;
 * any other part is loaded when the connection is back.
 */
export const lazyPart = <Props extends { onClose?: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) => {
  let loaded: ComponentType<Props> | undefined
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    const fail = useEffectEvent((error: unknown, retry: () => void, signal: AbortSignal) => {
      if (!props.onClose) return window.addEventListener('online', retry, { once: true, signal })
      notify('error', failureOf(error))
      props.onClose()
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
