import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import styles from './error-layout.module.css'
import { Logo } from './logo'

/** A page alone, below the store's name: for closed stores and for errors, where header and footer may not be drawn. */
export function ErrorLayout({ children }: { children: ReactNode }) {
  const settled = useQueryClient().getQueryData(siteSettingsQuery.queryKey) !== undefined
  return (
    <div className={styles.layout}>
      <header className={styles.header}>{settled && <Logo />}</header>
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </div>
  )
}
