import type { ReactNode } from 'react'
import styles from './accordion.module.css'
import { classNames } from './element'
import { Icon } from './icon'

/** The container of AccordionItems. */
export function Accordion({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <div className={classNames(styles.accordion, className)}>{children}</div>
}

export interface AccordionItemProps {
  title: ReactNode
  /** Opening an item closes the others of the same name. */
  name?: string | undefined
  /** At the far end of the title: a count, a duration. */
  end?: ReactNode
  open?: boolean | undefined
  id?: string | undefined
  children: ReactNode
}

/** A native disclosure: works without JavaScript, and "find in page" opens it. */
export function AccordionItem({ title, name, end, open, id, children }: AccordionItemProps) {
  return (
    <details className={styles.item} name={name} open={open} id={id}>
      <summary className={styles.summary}>
        <span className={styles.title}>{title}</span>
        {end && <span className={styles.end}>{end}</span>}
        <Icon name="chevron-down" size="m" />
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  )
}
