import type { CSSProperties } from 'react'
import { classNames } from './element'
import styles from './skeleton.module.css'

export interface SkeletonProps {
  /** CSS lengths of the placeholder. */
  width?: string | undefined
  height?: string | undefined
  /** The aspect ratio of a picture. */
  ratio?: number | undefined
  round?: boolean | undefined
  className?: string | undefined
}

/** A placeholder while content loads. Set `aria-busy` on the region around it. */
export function Skeleton({ width, height, ratio, round, className }: SkeletonProps) {
  const style: CSSProperties = {}
  if (width) style.inlineSize = width
  if (height) style.blockSize = height
  if (ratio) style.aspectRatio = ratio
  return (
    <span
      className={classNames(styles.bone, ratio !== undefined && styles.picture, round && styles.round, className)}
      style={style}
      aria-hidden
    />
  )
}

/** Placeholder lines of text. */
export function SkeletonText({ lines = 3 }: { lines?: number | undefined }) {
  return (
    <span className={styles.lines} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a skeleton have no identity.
        <span key={line} className={styles.bone} />
      ))}
    </span>
  )
}
