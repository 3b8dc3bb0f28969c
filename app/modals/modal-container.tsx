import { msg } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { type ComponentType, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { validationErrors } from '~/platform/api/validation-errors'
import { modalResetDelay } from '~/platform/constants'
import { withMessages } from '~/platform/i18n/i18n'
import { log } from '~/platform/log'
import { closeModal, type ModalDetail, modalEvents, takeWaitingModal } from '~/platform/modals/modal-events'
import { showToast } from '~/platform/toasts/toasts'
import type { ModalDialogProps } from './modal-dialog'
import type { ModalContentProps, ModalEntry } from './registry'

/** Loads a modal's content and the dialog. */
const load = (entry: ModalEntry) =>
  withMessages(Promise.all([entry.load(), import('./modal-dialog').then((m) => m.ModalDialog)]))

/** The registry has the titles of all modals, so it is loaded with the first one. */
const entryOf = async (name: string) => (await withMessages(import('./registry'))).findModal(name)

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
 * The page's only modal. Global events open and close it. A second after closing, the stored
 * validation errors are cleared and the content is reset.
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
    const show = async (detail: ModalDetail) => {
      try {
        const entry = await entryOf(detail.name)
        if (!entry) return loadingFailed()
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
    const onOpen = (event: CustomEvent<ModalDetail>) => {
      event.preventDefault()
      void show(event.detail)
    }
    // A failure is reported when the modal is opened.
    const onPreload = ({ detail }: CustomEvent<Pick<ModalDetail, 'name'>>) => {
      entryOf(detail.name)
        .then((entry) => entry && load(entry))
        .catch(() => {})
    }
    window.addEventListener(modalEvents.preload, onPreload)
    window.addEventListener(modalEvents.open, onOpen)
    window.addEventListener(modalEvents.close, close)
    const waiting = takeWaitingModal()
    if (waiting) void show(waiting)
    return () => {
      window.removeEventListener(modalEvents.preload, onPreload)
      window.removeEventListener(modalEvents.open, onOpen)
      window.removeEventListener(modalEvents.close, close)
      clearTimeout(reset.current)
    }
  }, [close])

  const name = open ? shown?.name : undefined
  useEffect(() => {
    // A modal belongs to its page.
    if (name) return router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && closeModal(name))
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
