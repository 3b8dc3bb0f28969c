import type { ReactNode } from 'react'
import styles from './script-only.module.css'
import { useHydrated } from './use-hydrated'

/** What needs script: it has its place from the first paint, so that nothing moves once it can be pressed. */
export function ScriptOnly({ children }: { children: ReactNode }) {
  return <span className={useHydrated() ? styles.here : styles.waiting}>{children}</span>
}
