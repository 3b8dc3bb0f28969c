import { Trans, useLingui } from '@lingui/react/macro'
import type { CommentId } from '#contract/ids.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { TextForm } from '../../ui/text-form'
import { commentsKey } from './comments.queries'

interface ReplyFormProps {
  id: CommentId
  /** When the author last changed the text that is shown. */
  editedAt: string | null
  /** Visitors do not see the comment yet: a reply approves it. */
  isHeld: boolean
  /** The id of the button that opened it. */
  openedBy: string
  onClose: () => void
}

/** Replies to a comment in the store's name. */
export function ReplyForm({ id, editedAt, isHeld, openedBy, onClose }: ReplyFormProps) {
  const { t } = useLingui()
  const api = useAdminApi()
  const reply = useWrite((body: string) => api.admin.comments.reply({ id, editedAt, body, approves: isHeld }), {
    done: isHeld ? t`Comment and reply published` : t`Reply published`,
    changes: [commentsKey, ['home']],
    onDone: onClose,
  })
  return (
    <TextForm
      label={t`Reply`}
      hint={
        isHeld
          ? t`Everyone reads it, in the store’s name. The comment is published with it.`
          : t`Everyone reads it, in the store’s name.`
      }
      name="body"
      rows={3}
      maxLength={1000}
      write={reply}
      submit={isHeld ? <Trans>Approve and publish reply</Trans> : <Trans>Publish reply</Trans>}
      variant="primary"
      size="s"
      onBack={onClose}
      openedBy={openedBy}
    />
  )
}
