import type { ReactNode } from 'react'
import styles from './message-page.module.css'

interface MessagePageProps {
  /** A status code or another short mark above the title. */
  mark?: ReactNode
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  /** Small print, such as the request's id. */
  note?: ReactNode
}

/** A page that says one thing: not found, failed, closed. */
export function MessagePage({ mark, title, children, actions, note }: MessagePageProps) {
  return (
    <div className={styles.page}>
      {mark && <p className={styles.mark}>{mark}</p>}
      <h1 className={styles.title}>{title}</h1>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
