import { Trans, useLingui } from '@lingui/react/macro'
import type { Attachment } from '#contract/catalog.ts'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import styles from './attachment-list.module.css'

interface ConfirmDownloadProps {
  attachment: Attachment
  pending: boolean
  onAccept: () => void
  onClose: () => void
}

/** A file's terms, to be accepted before it is downloaded. */
export function ConfirmDownload({ attachment, pending, onAccept, onClose }: ConfirmDownloadProps) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      onClose={onClose}
      title={<Trans>Before you download</Trans>}
      description={attachment.name}
      closeLabel={t`Close`}
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" icon="download" loading={pending} onClick={onAccept}>
            <Trans>Accept and download</Trans>
          </Button>
        </>
      }
    >
      <p className={styles.terms}>{attachment.confirmationText}</p>
    </Dialog>
  )
}
