import { classNames } from './class-names'
import styles from './spinner.module.css'

export interface SpinnerProps {
  size?: 's' | 'm' | 'l' | undefined
  /** Announced to screen readers; leave it out where the text beside it already says what is awaited. */
  label?: string | undefined
  className?: string | undefined
}

export function Spinner({ size, label, className }: SpinnerProps) {
  return (
    <span
      className={classNames(styles.spinner, size && styles[size], className)}
      role={label ? 'status' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    />
  )
}
