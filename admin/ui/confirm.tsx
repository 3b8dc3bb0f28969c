import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'

interface ConfirmOptions {
  title: string
  /** What the action does, if the title does not say it. */
  text?: ReactNode
  /** The label of the button that runs the action. */
  action: string
  /** The dialog closes when the promise settles. */
  onConfirm: () => Promise<unknown>
}

/** Confirms an action that cannot be undone. Returns the dialog, to be rendered. */
export const useConfirm = ({ title, text, action, onConfirm }: ConfirmOptions) => {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const [isPending, setPending] = useState(false)
  const close = () => setOpen(false)
  const confirm = async () => {
    setPending(true)
    // The write itself reports its failure.
    await onConfirm().catch(() => {})
    setPending(false)
    close()
  }
  const dialog = isOpen && (
    <Dialog
      open
      alert
      onClose={close}
      title={title}
      closeLabel={t`Close`}
      footer={
        <>
          <Button variant="ghost" onClick={close}>
            <Trans>Back</Trans>
          </Button>
          <Button variant="danger" loading={isPending} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  )
  return { ask: () => setOpen(true), dialog }
}
