import { useLingui } from '@lingui/react/macro'
import type { RefObject } from 'react'
import styles from './drag-item.module.css'

/** What an item is dragged by. Buttons beside it do the same with keys. */
export function DragHandle({ handle }: { handle: RefObject<HTMLSpanElement | null> }) {
  const { t } = useLingui()
  return (
    <span ref={handle} className={styles.handle} title={t`Drag to move`} aria-hidden>
      <svg viewBox="0 0 24 24" aria-hidden>
        <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" />
      </svg>
    </span>
  )
}
