import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { RadioGroup } from '~/ui/choice'
import { Dialog } from '~/ui/dialog'
import { type ReportReason, useCommentWrites } from '../use-comment-writes'

interface ReportCommentProps {
  productId: ProductId
  commentId: CommentId
  onDone: () => void
}

/** Says what is wrong with a comment. */
export function ReportComment({ productId, commentId, onDone }: ReportCommentProps) {
  const { t } = useLingui()
  const [reason, setReason] = useState<ReportReason>('SPAM')
  const { report } = useCommentWrites(productId)
  return (
    <Dialog
      open
      onClose={onDone}
      title={<Trans>Report comment</Trans>}
      description={<Trans>We review every report. The author won’t know who reported it.</Trans>}
      closeLabel={t`Close`}
      footer={
        <>
          <Button onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            variant="primary"
            loading={report.isPending}
            onClick={() => report.mutate({ commentId, reason }, { onSettled: onDone })}
          >
            <Trans>Submit report</Trans>
          </Button>
        </>
      }
    >
      <RadioGroup
        legend={t`Reason for reporting`}
        name="reason"
        value={reason}
        onValueChange={(value) => setReason(value as ReportReason)}
        options={[
          { value: 'SPAM', label: t`Spam or advertising` },
          { value: 'ABUSE', label: t`Offensive or abusive` },
          { value: 'SPOILER', label: t`Spoilers` },
          { value: 'OTHER', label: t`Other` },
        ]}
      />
    </Dialog>
  )
}
