import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { Attachment, ProductDetail } from '#contract/product-page.ts'
import { call } from '~/platform/api/call'
import { useFormat } from '~/platform/format/use-format'
import { laterAttribute } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { storeText } from '~/platform/i18n/store-text'
import { Button } from '~/ui/button'
import { Icon } from '~/ui/icon'
import { lazyPart } from '~/ui/visibility'
import { confirmAttachment, productPageQuery } from '../product.functions'
import styles from './attachment-list.module.css'

const ConfirmDownload = lazyPart(() => withMessages(import('./confirm-download').then((m) => m.ConfirmDownload)))

interface AttachmentListProps {
  product: ProductDetail
  attachments: readonly Attachment[]
}

/**
 * The files of a product. One with terms, or that ends a refund, is downloaded after that is
 * accepted.
 */
export function AttachmentList({ product, attachments }: AttachmentListProps) {
  const { t } = useLingui()
  const format = useFormat()
  const client = useQueryClient()
  const [confirming, setConfirming] = useState<Attachment | null>(null)
  const download = useMutation({
    mutationFn: (attachment: Attachment) =>
      call((signal) => confirmAttachment({ data: { id: product.id, attachmentId: attachment.id }, signal })),
    onSuccess: ({ url }) => {
      window.location.assign(url)
      // The download ends the right to a refund.
      void client.invalidateQueries({ queryKey: productPageQuery(product.code).queryKey })
    },
    onSettled: () => setConfirming(null),
  })
  if (attachments.length === 0) return null
  const refundable = product.viewer?.refundable ?? null
  return (
    <section aria-labelledby="files" {...laterAttribute}>
      <h2 id="files" className={styles.title}>
        <Trans>Attachments</Trans>
      </h2>
      <ul className={styles.list}>
        {attachments.map((attachment) => (
          <li key={attachment.id} className={styles.row}>
            <Icon name="paperclip" size="m" className={styles.mark} />
            <div className={styles.words}>
              <p className={styles.name}>{storeText(attachment, 'name')}</p>
              <p className={styles.size}>{format.bytes(attachment.bytes)}</p>
            </div>
            {attachment.available ? (
              <Button
                size="s"
                icon="download"
                aria-label={t`Download ${attachment.name}`}
                loading={download.isPending && download.variables?.id === attachment.id}
                onClick={() =>
                  attachment.confirmationText || refundable ? setConfirming(attachment) : download.mutate(attachment)
                }
              >
                <Trans>Download</Trans>
              </Button>
            ) : (
              <span className={styles.locked}>
                <Icon name="lock" size="s" />
                <Trans>Included with purchase</Trans>
              </span>
            )}
          </li>
        ))}
      </ul>
      {confirming && (
        <Suspense>
          <ConfirmDownload
            attachment={confirming}
            refundable={refundable}
            pending={download.isPending}
            onAccept={() => download.mutate(confirming)}
            onClose={() => setConfirming(null)}
          />
        </Suspense>
      )}
    </section>
  )
}
