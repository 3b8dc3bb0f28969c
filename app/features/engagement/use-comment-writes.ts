import { msg } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { showToast } from '~/platform/toasts/toasts'
import { addComment, deleteComment, editComment, reportComment } from './comments.functions'

export type ReportReason = 'SPAM' | 'ABUSE' | 'SPOILER' | 'OTHER'

/** Writes to a product's comments. Each refetches the comments when done. */
export function useCommentWrites(id: ProductId) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['comments', id] })

  const post = useMutation({
    mutationFn: ({ body, parentId }: { body: string; parentId?: CommentId | undefined }) =>
      call((signal) => addComment({ data: { id, body, ...(parentId && { parentId }) }, signal })),
    onSuccess: async (comment) => {
      await refresh()
      showToast(
        comment.state === 'HELD'
          ? { severity: 'info', summary: msg`Your comment contains a link, so it will appear after review.` }
          : { severity: 'success', summary: msg`Comment posted.` },
      )
    },
  })
  const edit = useMutation({
    mutationFn: ({ commentId, body }: { commentId: CommentId; body: string }) =>
      call((signal) => editComment({ data: { id, commentId, body }, signal })),
    onSuccess: refresh,
  })
  const remove = useMutation({
    mutationFn: (commentId: CommentId) => call((signal) => deleteComment({ data: { id, commentId }, signal })),
    onSuccess: async () => {
      await refresh()
      showToast({ severity: 'success', summary: msg`Comment deleted.` })
    },
  })
  const report = useMutation({
    mutationFn: ({ commentId, reason }: { commentId: CommentId; reason: ReportReason }) =>
      call((signal) => reportComment({ data: { id, commentId, reason }, signal }), { expected: [409] }),
    onSuccess: () =>
      showToast({ severity: 'success', summary: msg`Thanks for your report. We’ll review this comment.` }),
    onError: (error) => {
      if (problemOf(error)?.status === 409) {
        showToast({ severity: 'info', summary: msg`You’ve already reported this comment.` })
      }
    },
  })
  return { post, edit, remove, report }
}
