import { useLingui } from '@lingui/react/macro'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { SearchBox } from '~/features/search/ui/search-box'
import { labels } from '~/platform/labels'
import { IconButton } from '~/ui/button'
import { useHydrated } from '~/ui/visibility'
import styles from './search-overlay.module.css'

/**
 * The search of narrow screens: an icon that opens the field over the whole window, with what was searched for last and what is popular.
 * Without script the icon leads to the list of products, where a field stands above it.
 */
export function SearchOverlay({ className }: { className?: string | undefined }) {
  const { t, i18n } = useLingui()
  const router = useRouter()
  const hydrated = useHydrated()
  const dialog = useRef<HTMLDialogElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => router.subscribe('onBeforeNavigate', () => dialog.current?.close()), [router])

  const show = () => {
    // The field must be there within the press: phones open their keyboard for no later focus.
    flushSync(() => setOpen(true))
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.focus()
  }

  const close = () => {
    setOpen(false)
    // The browser gives the focus back to what had it; a tap gives it to nothing on some phones.
    if (document.activeElement === document.body) button.current?.focus()
  }

  return (
    <>
      {hydrated ? (
        <IconButton
          ref={button}
          icon="search"
          label={t`Search`}
          className={className}
          aria-haspopup="dialog"
          onClick={show}
        />
      ) : (
        <IconButton
          icon="search"
          label={t`Search`}
          className={className}
          render={<Link to="/products" hash="search" />}
        />
      )}
      <dialog ref={dialog} className={styles.overlay} aria-label={t`Search`} onClose={close}>
        {open && (
          <>
            <SearchBox inSheet />
            <IconButton
              icon="close"
              label={i18n._(labels.close)}
              className={styles.close}
              onClick={() => dialog.current?.close()}
            />
          </>
        )}
      </dialog>
    </>
  )
}
