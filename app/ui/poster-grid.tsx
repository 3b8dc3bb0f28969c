import type { ReactNode } from 'react'
import { classNames } from './element'
import styles from './poster-grid.module.css'

export interface PosterGridProps {
  shape?: 'wide' | 'tall' | undefined
  /** `<li>` elements, each with a PosterCard or its skeleton. */
  children: ReactNode
  className?: string | undefined
}

/** A grid with as many columns as fit. */
export function PosterGrid({ shape = 'wide', children, className }: PosterGridProps) {
  return (
    <div className={classNames(styles.frame, className)}>
      <ul className={classNames(styles.grid, styles[shape])}>{children}</ul>
    </div>
  )
}
