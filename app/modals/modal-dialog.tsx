import { useLingui } from '@lingui/react'
import { Trans, useLingui as useMessages } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { FormPlace, hasDirtyModal } from '~/platform/forms/dirty-forms'
import { labels } from '~/platform/labels'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import type { ModalEntry } from './registry'

export interface ModalDialogProps {
  entry: ModalEntry
  /** The data of the opening event. */
  data: unknown
  open: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * The dialog around a modal's content. A chunk of its own, so that pages without modals do not load
 * it. Closing it asks for confirmation while a form in it is partly filled.
 */
export function ModalDialog({ entry, data, open, onClose, children }: ModalDialogProps) {
  const { i18n } = useLingui()
  const { t } = useMessages()
  const [confirmingClose, setConfirmingClose] = useState(false)
  const title = i18n._(entry.title)
  const name = entry.nameIn?.(data)
  const cancelClose = () => setConfirmingClose(false)
  const discard = () => {
    setConfirmingClose(false)
    onClose()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={() => (hasDirtyModal() ? setConfirmingClose(true) : onClose())}
        title={name ?? title}
        description={name && title}
        closeLabel={i18n._(labels.close)}
        size={entry.width}
        flush={entry.flush}
      >
        <FormPlace value="modal">{children}</FormPlace>
      </Dialog>
      <Dialog
        open={open && confirmingClose}
        alert
        onClose={cancelClose}
        title={t`Discard what you typed?`}
        description={t`What you typed will be lost.`}
        closeLabel={i18n._(labels.close)}
        footer={
          <>
            <Button onClick={cancelClose}>
              <Trans>Keep editing</Trans>
            </Button>
            <Button variant="danger" onClick={discard}>
              <Trans>Discard</Trans>
            </Button>
          </>
        }
      />
    </>
  )
}
