import { classNames } from './class-names'
import styles from './spinner.module.css'
import { VisuallyHidden } from './visually-hidden'

export interface SpinnerProps {
  size?: 's' | 'm' | 'l' | undefined
  /** Announced to screen readers; leave it out where the text beside it already says what is awaited. */
  label?: string | undefined
  className?: string | undefined
}

export function Spinner({ size, label, className }: SpinnerProps) {
  const ring = <span className={classNames(styles.spinner, size && styles[size], className)} aria-hidden />
  if (!label) return ring
  return (
    <span role="status">
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
