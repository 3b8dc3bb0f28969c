import { classNames } from './element'
import styles from './prose.module.css'

export interface ProseProps {
  /** Sanitized when it was stored. */
  html: string
  className?: string | undefined
  /** The text's language, where it is not the page's. Sets the direction as well. */
  lang?: string | undefined
}

/** Rich text of the store: descriptions, notices, terms. */
export function Prose({ html, className, lang }: ProseProps) {
  return (
    <div
      className={classNames(styles.prose, className)}
      lang={lang}
      dir={lang === undefined ? undefined : lang === 'ar' ? 'rtl' : 'ltr'}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the API sanitises rich text when it is written.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
