import { useLingui } from '@lingui/react'
import type { ReactNode } from 'react'
import { labels } from '~/platform/labels'
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

/** The dialog a modal's content stands in. A part of its own, so that a page without modals does not load it. */
export function ModalDialog({ entry, data, open, onClose, children }: ModalDialogProps) {
  const { i18n } = useLingui()
  const title = i18n._(entry.title)
  const name = entry.nameIn?.(data)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={name ?? title}
      description={name && title}
      closeLabel={i18n._(labels.close)}
      size={entry.width}
      flush={entry.flush}
    >
      {children}
    </Dialog>
  )
}
