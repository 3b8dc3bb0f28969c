import { type ReactNode, useSyncExternalStore } from 'react'
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
