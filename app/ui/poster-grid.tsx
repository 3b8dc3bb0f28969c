import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './element'
import styles from './poster-grid.module.css'
import { Skeleton } from './skeleton'
import skeletonStyles from './skeleton.module.css'

export interface PosterGridProps {
  shape?: 'wide' | 'tall' | undefined
  /** `<li>` elements, each with a PosterCard or its skeleton. */
  children?: ReactNode
  /** The props of the `<ul>`, instead of children. */
  list?: ComponentProps<'ul'>
  className?: string | undefined
}

/** A grid with as many columns as fit. */
export function PosterGrid({ shape = 'wide', children, list = { children }, className }: PosterGridProps) {
  return (
    <div className={classNames(styles.frame, className)}>
      <ul {...list} className={classNames(styles.grid, styles[shape])} />
    </div>
  )
}

export function PosterCardSkeleton({ shape = 'wide' }: { shape?: 'wide' | 'tall' | undefined }) {
  return (
    <div className={skeletonStyles.card} aria-hidden>
      <Skeleton ratio={shape === 'wide' ? 16 / 9 : 2 / 3} />
      <div className={skeletonStyles.cardText}>
        <span className={classNames(skeletonStyles.line, skeletonStyles.title)}>
          <span className={skeletonStyles.bone} />
        </span>
        <span className={classNames(skeletonStyles.line, skeletonStyles.meta)}>
          <span className={skeletonStyles.bone} />
        </span>
      </div>
    </div>
  )
}
