import { msg } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { type ComponentType, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { modalResetDelay } from '~/platform/constants'
import { validationErrors } from '~/platform/forms/validation-errors'
import { log } from '~/platform/log'
import { closeModal, type ModalDetail, type ModalName, modalEvents } from '~/platform/modals/modal-events'
import { showToast } from '~/platform/toasts/toasts'
import type { ModalDialogProps } from './modal-dialog'
import { findModal, type ModalContentProps, type ModalEntry } from './registry'

/** A modal's content and the dialog around it, side by side. */
const load = (entry: ModalEntry) => Promise.all([entry.load(), import('./modal-dialog').then((m) => m.ModalDialog)])

/** The browser draws open popovers above every layer of the page, modals included. */
function hidePopovers() {
  for (const popover of document.querySelectorAll<HTMLElement>(':popover-open')) popover.hidePopover()
}

interface Shown {
  name: string
  entry: ModalEntry
  Content: ComponentType<ModalContentProps>
  Dialog: ComponentType<ModalDialogProps>
  data: unknown
}

const loadingFailed = () => showToast({ severity: 'error', summary: msg`modal component loading error` })

/**
 * The page's one modal: opened by a global event that names it, closed by another. A second after closing its stored
 * errors are cleaned and its content is reset.
 */
export function ModalContainer() {
  const [shown, setShown] = useState<Shown | null>(null)
  const [open, setOpen] = useState(false)
  const router = useRouter()
  const reset = useRef<ReturnType<typeof setTimeout>>(undefined)

  const close = useCallback(() => {
    setOpen(false)
    clearTimeout(reset.current)
    reset.current = setTimeout(() => {
      validationErrors.clear()
      setShown(null)
    }, modalResetDelay)
  }, [])

  useEffect(() => {
    const onOpen = async ({ detail }: CustomEvent<ModalDetail>) => {
      const entry = findModal(detail.name)
      if (!entry) return loadingFailed()
      try {
        const [Content, Dialog] = await load(entry)
        clearTimeout(reset.current)
        hidePopovers()
        setShown({ name: detail.name, entry, Content, Dialog, data: detail.data })
        setOpen(true)
      } catch (error) {
        log('error', 'A modal could not be loaded.', { error, name: detail.name })
        loadingFailed()
      }
    }
    // What cannot be fetched now is said when it is opened.
    const onExpect = ({ detail }: CustomEvent<Pick<ModalDetail, 'name'>>) => {
      const entry = findModal(detail.name)
      if (entry) load(entry).catch(() => {})
    }
    window.addEventListener(modalEvents.expect, onExpect)
    window.addEventListener(modalEvents.open, onOpen)
    window.addEventListener(modalEvents.close, close)
    return () => {
      window.removeEventListener(modalEvents.expect, onExpect)
      window.removeEventListener(modalEvents.open, onOpen)
      window.removeEventListener(modalEvents.close, close)
      clearTimeout(reset.current)
    }
  }, [close])

  const name = open ? shown?.name : undefined
  useEffect(() => {
    // What it was opened over is gone with the next page.
    if (name)
      return router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && closeModal(name as ModalName))
  }, [router, name])

  if (!shown) return null
  const { entry, Content, Dialog, data } = shown
  return (
    <Suspense>
      <Dialog entry={entry} data={data} open={open} onClose={close}>
        <Content data={data} close={close} />
      </Dialog>
    </Suspense>
  )
}
