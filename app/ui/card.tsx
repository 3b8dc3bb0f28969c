import type { ComponentPropsWithRef } from 'react'
import styles from './card.module.css'
import { classNames } from './class-names'

export interface CardProps extends ComponentPropsWithRef<'div'> {
  /** Lower than the page instead of above it. */
  sunken?: boolean | undefined
  /** Content up to its edges. */
  flush?: boolean | undefined
}

/** A framed part of a page. */
export function Card({ sunken, flush, className, ...rest }: CardProps) {
  return (
    <div className={classNames(styles.card, sunken && styles.sunken, flush && styles.flush, className)} {...rest} />
  )
}
