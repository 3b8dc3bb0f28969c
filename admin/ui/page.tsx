import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Card } from '~/ui/card'
import { useSettings } from '../platform/settings'
import styles from './page.module.css'
import { Loaded } from './states'

interface PageProps {
  title: string
  /** Beside the title: a status. */
  badge?: ReactNode
  /** At the end of the title's line. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the console with its one heading and the title of the document. */
export function Page({ title, badge, actions, children }: PageProps) {
  const store = useSettings().base.name ?? ''
  useEffect(() => {
    document.title = store ? `${title} · ${store}` : title
  }, [title, store])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <bdi>{title}</bdi>
        </h1>
        {badge}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface LoadedPageProps<Data> {
  /** The title until the object is loaded. */
  title: string
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

/** The page of an object: what `children` shows of it, or that it loads or could not be loaded. */
export function LoadedPage<Data>({ title, query, children }: LoadedPageProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Page title={title}>
      <Loaded query={query}>{children}</Loaded>
    </Page>
  )
}

/** A framed part of a page with a heading. */
export function Section({ title, actions, children }: { title: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <Card className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 className={styles.sectionTitle}>{title}</h2>
        {actions}
      </div>
      {children}
    </Card>
  )
}

/** Two columns on wide screens: the object, and what stands beside it. */
export function Columns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>{children}</div>
      <div className={styles.column}>{aside}</div>
    </div>
  )
}
