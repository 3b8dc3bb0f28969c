import * as z from 'zod/mini'
import { commentState } from './enumerations.ts'
import { commentId } from './ids.ts'
import { pageOf } from './paging.ts'
import { requiredText } from './text.ts'

export const likeBody = z.object({ liked: z.boolean() })
export const likeAnswer = z.object({ liked: z.boolean(), countOfLikes: z.int() })

export const commentBody = z.object({
  body: requiredText(1000),
  /** Set on a reply: the comment it answers. Replies are one level deep. */
  parentId: z.optional(commentId),
})

export const comment = z.object({
  id: commentId,
  parentId: z.nullable(commentId),
  /** Null once deleted, and for others once hidden by the store. Replies are kept. */
  body: z.nullable(z.string()),
  author: z.object({ name: z.string(), mine: z.boolean(), isStore: z.boolean() }),
  state: commentState,
  countOfReplies: z.int(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** The end of the period in which the author may edit it. */
  editableUntil: z.nullable(z.iso.datetime()),
})
export type Comment = z.output<typeof comment>
export const commentPage = pageOf(comment)
export const commentEdit = z.pick(commentBody, { body: true })
export const commentReport = z.object({ reason: z.enum(['SPAM', 'ABUSE', 'SPOILER', 'OTHER']) })
export type CommentReportReason = z.output<typeof commentReport>['reason']
