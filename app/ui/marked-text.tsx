import type { ReactNode } from 'react'
import styles from './marked-text.module.css'

export interface MarkedTextProps {
  text: string
  /** Places in the text, as JavaScript counts them, in order and apart. */
  marks: readonly { start: number; end: number }[]
  /** Of the text, where it is another than the page's. */
  lang?: string | undefined
}

/** A text in which what was looked for stands out. */
export function MarkedText({ text, marks, lang }: MarkedTextProps) {
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
    <span lang={lang} dir="auto">
      {parts}
      {text.slice(at)}
    </span>
  )
}
