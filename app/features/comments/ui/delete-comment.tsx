import { Trans, useLingui } from '@lingui/react/macro'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'
import { useCommentWrites } from '../use-comment-writes'

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
