import {
  type ComponentType,
  lazy,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import scriptOnlyStyles from './script-only.module.css'
import styles from './visually-hidden.module.css'

const never = () => () => {}

/** Whether the page is hydrated. Buttons that need JavaScript are not rendered before. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>
}

/** Content that needs JavaScript. Its space is reserved from the first paint. */
export function ScriptOnly({ children }: { children: ReactNode }) {
  return <span className={useHydrated() ? scriptOnlyStyles.here : scriptOnlyStyles.waiting}>{children}</span>
}

/**
 * Focuses a panel when it opens, and for each new `step`. Not for a panel that the server rendered
 * open: moving the page could take a button from under the pointer.
 */
export function usePanelFocus<T extends HTMLElement>(step = ''): RefObject<T | null> {
  const element = useRef<T>(null)
  const shown = useRef(useHydrated() ? undefined : step)
  useLayoutEffect(() => {
    if (shown.current === step) return
    shown.current = step
    element.current?.focus()
  }, [step])
  return element
}

/**
 * A component whose script is loaded when it is first rendered. Without a network the script is
 * loaded when the network returns: Chromium answers a repeated import of a script that could not be
 * loaded with the same error, which would replace the page that the visitor reads.
 */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    if (!navigator.onLine && !(await isServerReachable()))
      await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return { default: await load() }
  })

/** Some systems say that they are offline although they are not. */
const isServerReachable = () =>
  fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
