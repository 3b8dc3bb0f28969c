import { msg } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { modalResetDelay } from '~/platform/constants'
import { validationErrors } from '~/platform/forms/validation-errors'
import { log } from '~/platform/log'
import { closeModal, type ModalDetail, type ModalName, modalEvents } from '~/platform/modals/modal-events'
import { showToast } from '~/platform/toasts/toasts'
import { findModal, type ModalContentProps, type ModalEntry } from './registry'

const ModalDialog = lazy(() => import('./modal-dialog').then((m) => ({ default: m.ModalDialog })))

interface Shown {
  name: string
  entry: ModalEntry
  Content: ComponentType<ModalContentProps>
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
        const Content = await entry.load()
        clearTimeout(reset.current)
        setShown({ name: detail.name, entry, Content, data: detail.data })
        setOpen(true)
      } catch (error) {
        log('error', 'A modal could not be loaded.', { error, name: detail.name })
        loadingFailed()
      }
    }
    window.addEventListener(modalEvents.open, onOpen)
    window.addEventListener(modalEvents.close, close)
    return () => {
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
  const { entry, Content, data } = shown
  return (
    <Suspense>
      <ModalDialog entry={entry} data={data} open={open} onClose={close}>
        <Content data={data} close={close} />
      </ModalDialog>
    </Suspense>
  )
}
