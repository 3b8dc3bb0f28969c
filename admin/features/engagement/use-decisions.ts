import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { CommentId } from '#contract/ids.ts'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'
import { commentsKey } from './comments.queries'

/** A comment with the text that somebody has read. */
export interface ReadComment {
  id: CommentId
  /** When its author last changed the text that is shown. */
  editedAt: string | null
}

/** Publishes a comment as it is shown, or hides it. */
export const useDecisions = ({ id, editedAt }: ReadComment) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const queryClient = useQueryClient()
  const options = { changes: [commentsKey, ['home']], notifiesFailure: true }
  const approve = async () => {
    await api.admin.comments.approve({ id, editedAt }).catch((error: unknown) => {
      // Where its author has changed it, the text is shown as it is now.
      void queryClient.invalidateQueries({ queryKey: commentsKey })
      throw error
    })
  }
  return {
    publish: useWrite(approve, { done: t`Comment published`, ...options }),
    hide: useWrite(() => api.admin.comments.hide({ id }), { done: t`Comment hidden`, ...options }),
  }
}
