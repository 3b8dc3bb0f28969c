import { classNames } from './class-names'
import styles from './prose.module.css'

export interface ProseProps {
  /** Sanitised already: whoever stores it answers for it. */
  html: string
  className?: string | undefined
}

/** Rich text that people wrote: descriptions, notices, terms. */
export function Prose({ html, className }: ProseProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the API sanitises rich text when it is written.
  return <div className={classNames(styles.prose, className)} dangerouslySetInnerHTML={{ __html: html }} />
}
