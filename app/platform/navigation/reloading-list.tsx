import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './reloading-list.module.css'

/** A list that is dimmed while the next page or filter of it loads. */
export function ReloadingList({ children }: { children: ReactNode }) {
  const loading = useRouterState({ select: (state) => state.isLoading })
  return (
    <div aria-busy={loading || undefined} className={styles.list}>
      {children}
    </div>
  )
}
