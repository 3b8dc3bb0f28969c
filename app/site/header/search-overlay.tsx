import { useLingui } from '@lingui/react/macro'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { SearchBox } from '~/features/catalog/ui/search-box'
import { labels } from '~/platform/labels'
import { IconButton } from '~/ui/button'
import { useHydrated } from '~/ui/visibility'
import styles from './search-overlay.module.css'

/**
 * The search of narrow screens: an icon that opens a field over the whole window, with recent and
 * popular searches. Without JavaScript the icon links to the list of products, which has a search
 * field.
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
    // The field must exist during the press: phones open no keyboard for a later focus.
    flushSync(() => setOpen(true))
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.focus()
  }

  const close = () => {
    setOpen(false)
    // The browser restores the focus. On some phones a tap focuses nothing.
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
          render={<Link to="/products" hash="search" activeOptions={{ exact: true, includeSearch: false }} />}
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
