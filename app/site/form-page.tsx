import type { ReactNode } from 'react'
import styles from './form-page.module.css'

interface FormPageProps {
  /** Over the title, such as how far one has come. */
  above?: ReactNode
  title: ReactNode
  text?: ReactNode
  children: ReactNode
}

/** A page that is one short form: title, a line of text, the form. */
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
