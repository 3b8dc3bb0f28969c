import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { RadioGroup } from '~/ui/choice'
import { Dialog } from '~/ui/dialog'
import { type ReportReason, useCommentWrites } from '../use-comment-writes'

interface DeleteCommentProps {
  productId: ProductId
  commentId: CommentId
  onDone: () => void
}

export function DeleteComment({ productId, commentId, onDone }: DeleteCommentProps) {
  const { t } = useLingui()
  const { remove } = useCommentWrites(productId)
  return (
    <Dialog
      open
      alert
      onClose={onDone}
      title={<Trans>Delete your comment?</Trans>}
      description={<Trans>You can’t undo this. Replies stay.</Trans>}
      closeLabel={t`Close`}
      footer={
        <>
          <Button onClick={onDone}>
            <Trans>Keep it</Trans>
          </Button>
          <Button
            variant="danger"
            loading={remove.isPending}
            onClick={() => remove.mutate(commentId, { onSettled: onDone })}
          >
            <Trans>Delete</Trans>
          </Button>
        </>
      }
    />
  )
}

interface ReportCommentProps {
  productId: ProductId
  commentId: CommentId
  onDone: () => void
}

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
        onValueChange={setReason}
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
