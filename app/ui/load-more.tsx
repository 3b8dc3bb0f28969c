import type { ReactNode } from 'react'
import { Button } from './button'
import styles from './load-more.module.css'
import type { RenderElement } from './render-as'

export interface LoadMoreProps {
  label: string
  /** How far one is: "24 of 131". */
  shown?: ReactNode
  /** The next page's link, so that it works without script and has an address. */
  render?: RenderElement | undefined
  onMore?: (() => void) | undefined
  loading?: boolean | undefined
}

/** More of the same list, when asked. */
export function LoadMore({ label, shown, render, onMore, loading }: LoadMoreProps) {
  return (
    <div className={styles.more}>
      {shown && (
        <p className={styles.shown} role="status">
          {shown}
        </p>
      )}
      {(render || onMore) && (
        <Button render={loading ? undefined : render} onClick={onMore} loading={loading}>
          {label}
        </Button>
      )}
    </div>
  )
}
