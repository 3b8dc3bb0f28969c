import type { ReactNode } from 'react'
import styles from './form-page.module.css'

interface FormPageProps {
  /** Shown above the title, for example the current step. */
  above?: ReactNode
  title: ReactNode
  text?: ReactNode
  children: ReactNode
}

/** A page with one short form: title, a line of text, the form. */
export function FormPage({ above, title, text, children }: FormPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        {above && <div className={styles.above}>{above}</div>}
        <h1 className={styles.title}>{title}</h1>
        {text && <p className={styles.text}>{text}</p>}
        {children}
      </div>
    </div>
  )
}
