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
  /** What the opening event carried. */
  data: unknown
  open: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * The dialog a modal's content stands in. A part of its own, so that a page without modals does not load it. Closing it asks once while
 * a form in it is half filled.
 */
export function ModalDialog({ entry, data, open, onClose, children }: ModalDialogProps) {
  const { i18n } = useLingui()
  const { t } = useMessages()
  const [asking, setAsking] = useState(false)
  const title = i18n._(entry.title)
  const name = entry.nameIn?.(data)
  const stay = () => setAsking(false)
  const discard = () => {
    setAsking(false)
    onClose()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={() => (hasDirtyModal() ? setAsking(true) : onClose())}
        title={name ?? title}
        description={name && title}
        closeLabel={i18n._(labels.close)}
        size={entry.width}
        flush={entry.flush}
      >
        <FormPlace value="modal">{children}</FormPlace>
      </Dialog>
      <Dialog
        open={open && asking}
        alert
        onClose={stay}
        title={t`Discard what you typed?`}
        description={t`What you typed will be lost.`}
        closeLabel={i18n._(labels.close)}
        footer={
          <>
            <Button onClick={stay}>
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
