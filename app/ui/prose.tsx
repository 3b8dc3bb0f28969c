import type { ReactNode } from 'react'
import { directionOf } from '#contract/direction.ts'
import { classNames } from './element'
import markStyles from './marked-text.module.css'
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
      dir={lang && directionOf(lang)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the API sanitizes rich text
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

export interface MarkedTextProps {
  text: string
  /** Ranges in UTF-16 units, sorted and not overlapping. */
  ranges: readonly { start: number; end: number }[]
  /** The text's language, where it is not the page's. */
  lang?: string | undefined
  /** For text that is truncated: the ellipsis must be on the element that has the direction. */
  className?: string | undefined
}

/** A text with highlighted search matches. */
export function MarkedText({ text, ranges, lang, className }: MarkedTextProps) {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end } of ranges) {
    parts.push(
      text.slice(at, start),
      <mark key={start} className={markStyles.mark}>
        {text.slice(start, end)}
      </mark>,
    )
    at = end
  }
  return (
    <span lang={lang} dir="auto" className={className}>
      {parts}
      {text.slice(at)}
    </span>
  )
}
