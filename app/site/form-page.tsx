import type { ReactNode } from 'react'
import styles from './form-page.module.css'

/** A page that is one short form: title, a line of text, the form. */
export function FormPage({ title, text, children }: { title: ReactNode; text?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {text && <p className={styles.text}>{text}</p>}
        {children}
      </div>
    </div>
  )
}
