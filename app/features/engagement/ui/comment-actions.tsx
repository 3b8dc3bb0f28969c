import { Trans } from '@lingui/react/macro'
import { type ReactElement, type Ref, Suspense, useEffect, useRef, useState } from 'react'
import type { Comment } from '#contract/engagement.ts'
import type { ProductId } from '#contract/ids.ts'
import { withMessages } from '~/platform/i18n/i18n'
import { Menu, MenuItem } from '~/ui/menu'
import { lazyPart } from '~/ui/visibility'

const DeleteComment = lazyPart(() => withMessages(import('./comment-dialogs').then((m) => m.DeleteComment)))
const ReportComment = lazyPart(() => withMessages(import('./comment-dialogs').then((m) => m.ReportComment)))

export interface CommentActionsProps {
  productId: ProductId
  comment: Comment
  onEdit: () => void
  /** Renders the button that opens the menu. */
  button: (ref: Ref<HTMLButtonElement>) => ReactElement
}

/** The menu of a comment: authors edit for 15 minutes or delete, others report. */
export function CommentActions({ productId, comment, onEdit, button }: CommentActionsProps) {
  const control = useRef<HTMLButtonElement>(null)
  const [dialog, openDialog] = useState<'delete' | 'report' | null>(null)
  // The button was pressed before this code was loaded.
  useEffect(() => {
    control.current?.focus()
    control.current?.click()
  }, [])
  const { mine } = comment.author
  const editable = comment.editableUntil !== null && Date.parse(comment.editableUntil) > Date.now()
  const done = () => openDialog(null)
  return (
    <>
      <Menu trigger={button(control)}>
        {mine && editable && (
          <MenuItem value="edit" onSelect={onEdit}>
            <Trans>Edit</Trans>
          </MenuItem>
        )}
        {mine ? (
          <MenuItem value="delete" icon="trash" danger onSelect={() => openDialog('delete')}>
            <Trans>Delete</Trans>
          </MenuItem>
        ) : (
          <MenuItem value="report" icon="warning" onSelect={() => openDialog('report')}>
            <Trans>Report</Trans>
          </MenuItem>
        )}
      </Menu>
      <Suspense>
        {dialog === 'delete' && <DeleteComment productId={productId} commentId={comment.id} onDone={done} />}
        {dialog === 'report' && <ReportComment productId={productId} commentId={comment.id} onDone={done} />}
      </Suspense>
    </>
  )
}
