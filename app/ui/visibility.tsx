import { type ReactNode, useSyncExternalStore } from 'react'
import scriptOnlyStyles from './script-only.module.css'
import styles from './visually-hidden.module.css'

const never = () => () => {}

/** Whether script runs: a button that needs it is not drawn before. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** Text for those who listen to the page. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>
}

/** What needs script: it has its place from the first paint, so that nothing moves once it can be pressed. */
export function ScriptOnly({ children }: { children: ReactNode }) {
  return <span className={useHydrated() ? scriptOnlyStyles.here : scriptOnlyStyles.waiting}>{children}</span>
}
