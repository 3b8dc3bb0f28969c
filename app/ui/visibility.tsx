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
 * A component whose script is loaded when it is first rendered. Without a network it waits until
 * the network returns: a failure would replace the page that the visitor reads.
 */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await loadWithNetwork(load) }))

const loadWithNetwork = <Part,>(load: () => Promise<Part>): Promise<Part> =>
  load().catch(async (error: unknown) => {
    if (navigator.onLine) throw error
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return loadWithNetwork(load)
  })
