import type { CSSProperties } from 'react'
import styles from './avatar.module.css'
import { classNames } from './element'

export interface AvatarProps {
  /** The person's name. Its initials are shown; a grey disc where there is none. */
  name: string
  size?: 's' | 'm' | 'l' | undefined
}

/** Initials on a colour derived from the name. */
export function Avatar({ name, size = 'm' }: AvatarProps) {
  const style: CSSProperties & Record<'--hue', number> = { '--hue': hueOf(name) }
  return (
    <span
      className={classNames(styles.avatar, size !== 'm' && styles[size], !name && styles.nobody)}
      style={style}
      aria-hidden
    >
      {initialsOf(name)}
    </span>
  )
}

/** The initials of the first and last word, or one letter for a single word, as in Korean names. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return first + last
}

function hueOf(name: string): number {
  let hash = 7
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 3600
  return hash / 10
}
