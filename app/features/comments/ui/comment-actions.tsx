import { Trans } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Comment } from '#contract/engagement.ts'
import type { ProductId } from '#contract/ids.ts'
import { Menu, MenuItem } from '~/ui/menu'
import { MoreButton } from './comment-item'

const DeleteComment = lazy(() => import('./comment-dialogs').then((m) => ({ default: m.DeleteComment })))
const ReportComment = lazy(() => import('./comment-dialogs').then((m) => ({ default: m.ReportComment })))

export interface CommentActionsProps {
  productId: ProductId
  comment: Comment
  onEdit: () => void
}

/** One's own comment is changed for a quarter of an hour and deleted, another's is reported. It opens by itself. */
export function CommentActions({ productId, comment, onEdit }: CommentActionsProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [asking, ask] = useState<'delete' | 'report' | null>(null)
  // Its button was pressed before it was here.
  useEffect(() => {
    button.current?.focus()
    button.current?.click()
  }, [])
  const { mine } = comment.author
  const editable = comment.editableUntil !== null && Date.parse(comment.editableUntil) > Date.now()
  const done = () => ask(null)
  return (
    <>
      <Menu trigger={<MoreButton ref={button} />}>
        {mine && editable && (
          <MenuItem value="edit" onSelect={onEdit}>
            <Trans>Edit</Trans>
          </MenuItem>
        )}
        {mine ? (
          <MenuItem value="delete" icon="trash" danger onSelect={() => ask('delete')}>
            <Trans>Delete</Trans>
          </MenuItem>
        ) : (
          <MenuItem value="report" icon="warning" onSelect={() => ask('report')}>
            <Trans>Report</Trans>
          </MenuItem>
        )}
      </Menu>
      <Suspense>
        {asking === 'delete' && <DeleteComment productId={productId} commentId={comment.id} onDone={done} />}
        {asking === 'report' && <ReportComment productId={productId} commentId={comment.id} onDone={done} />}
      </Suspense>
    </>
  )
}
