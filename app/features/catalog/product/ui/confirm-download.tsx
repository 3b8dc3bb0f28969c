import { Trans, useLingui } from '@lingui/react/macro'
import type { ViewerState } from '#contract/catalog.ts'
import type { Attachment } from '#contract/product-page.ts'
import { useFormat } from '~/platform/format/use-format'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import styles from './attachment-list.module.css'

interface ConfirmDownloadProps {
  attachment: Attachment
  /** The amount that is refundable until the download. */
  refundable: ViewerState['refundable']
  pending: boolean
  onAccept: () => void
  onClose: () => void
}

/** Asks to accept a file's terms, and the end of the right to a refund, before the download. */
export function ConfirmDownload({ attachment, refundable, pending, onAccept, onClose }: ConfirmDownloadProps) {
  const { t } = useLingui()
  const format = useFormat()
  const price = refundable && format.money(refundable.amount)
  const date = refundable && format.dateTime(refundable.until)
  return (
    <Dialog
      open
      onClose={onClose}
      title={<Trans>Before you download</Trans>}
      description={storeText(attachment, 'name')}
      closeLabel={t`Close`}
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" icon="download" loading={pending} onClick={onAccept}>
            <Trans>Agree and download</Trans>
          </Button>
        </>
      }
    >
      {attachment.confirmationText && <p className={styles.terms}>{storeText(attachment, 'confirmationText')}</p>}
      {refundable && (
        <p className={styles.refund}>
          <Trans>
            You can get a {price} refund until {date}. Downloading ends your right to a refund.
          </Trans>
        </p>
      )}
    </Dialog>
  )
}
