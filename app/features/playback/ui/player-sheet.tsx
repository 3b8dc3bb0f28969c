import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from '~/ui/icon-button'
import styles from './player-sheet.module.css'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/** Something to read or to set, over the picture. The film goes on below; Escape closes it. */
export function PlayerSheet({ title, onClose, children }: Props) {
  const { t, i18n } = useLingui()
  const heading = useId()
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    sheet.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <div
      ref={sheet}
      className={styles.sheet}
      role="dialog"
      aria-labelledby={heading}
      tabIndex={-1}
      dir={i18n.locale === 'ar' ? 'rtl' : 'ltr'}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" label={t`Close`} onClick={onClose} />
      </div>
      {children}
    </div>
  )
}
