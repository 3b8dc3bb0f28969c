import { classNames } from './element'
import styles from './prose.module.css'

export interface ProseProps {
  /** Sanitised already: whoever stores it answers for it. */
  html: string
  className?: string | undefined
  /** Where it is not in the language of the page; it reads in its own direction then. */
  lang?: string | undefined
}

/** Rich text that people wrote: descriptions, notices, terms. */
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
