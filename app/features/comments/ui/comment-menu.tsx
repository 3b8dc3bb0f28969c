import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useState } from 'react'
import type { Comment } from '#contract/engagement.ts'
import type { ProductId } from '#contract/ids.ts'
import { useMe } from '~/platform/shell/shell.queries'
import { IconButton } from '~/ui/icon-button'
import { Menu, MenuItem } from '~/ui/menu'

const DeleteComment = lazy(() => import('./delete-comment').then((m) => ({ default: m.DeleteComment })))
const ReportComment = lazy(() => import('./report-comment').then((m) => ({ default: m.ReportComment })))

interface CommentMenuProps {
  productId: ProductId
  comment: Comment
  onEdit: () => void
}

/** What one may do with a comment: one's own is changed for a quarter of an hour and deleted, another's is reported. */
export function CommentMenu({ productId, comment, onEdit }: CommentMenuProps) {
  const { t } = useLingui()
  const member = useMe()
  const [asking, ask] = useState<'delete' | 'report' | null>(null)
  if (!member) return null
  const { mine } = comment.author
  const editable = comment.editableUntil !== null && Date.parse(comment.editableUntil) > Date.now()
  const done = () => ask(null)
  return (
    <>
      <Menu trigger={<IconButton icon="more" size="s" label={t`What to do with this comment`} />}>
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
