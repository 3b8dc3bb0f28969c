import type { ReactNode } from 'react'
import styles from './marked-text.module.css'

export interface MarkedTextProps {
  text: string
  /** Ranges in UTF-16 units, sorted and not overlapping. */
  marks: readonly { start: number; end: number }[]
  /** The text's language, where it is not the page's. */
  lang?: string | undefined
  /** Where the text is cut, it is the element with its own direction that must cut it. */
  className?: string | undefined
}

/** A text with highlighted search matches. */
export function MarkedText({ text, marks, lang, className }: MarkedTextProps) {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end } of marks) {
    parts.push(
      text.slice(at, start),
      <mark key={start} className={styles.mark}>
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
