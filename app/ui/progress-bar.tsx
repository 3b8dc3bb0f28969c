import type { CSSProperties } from 'react'
import styles from './progress-bar.module.css'

export interface ProgressBarProps {
  /** 0 to 1. */
  part: number
  /** What progresses. */
  label: string
}

export function ProgressBar({ part, label }: ProgressBarProps) {
  const inside = Math.min(1, Math.max(0, part))
  const style: CSSProperties & Record<'--part', number> = { '--part': inside }
  return (
    <span
      className={styles.bar}
      style={style}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(inside * 100)}
    />
  )
}
