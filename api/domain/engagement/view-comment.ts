import type { Actor } from '#api/context.ts'
import type { CommentRow } from '#api/db/queries/comments.ts'
import type { Comment } from '#contract/engagement.ts'
import type { MemberId } from '#contract/ids.ts'

const editableMilliseconds = 15 * 60 * 1000

export const readerOf = (actor: Actor): MemberId | null => (actor.kind === 'USER' ? actor.memberId : null)

/** Until when its author may edit a comment. */
export const editableUntil = (comment: Pick<CommentRow, 'createdAt'>) =>
  new Date(Date.parse(comment.createdAt) + editableMilliseconds)

/** A comment as its reader sees it: a deleted one has no words and no author any more, only its place. */
export const viewComment = (row: CommentRow, reader: MemberId | null): Comment => {
  const deleted = row.state === 'DELETED'
  const mine = !deleted && row.memberId === reader
  return {
    id: row.id,
    parentId: row.parentId,
    body: deleted ? null : row.body,
    author: { name: deleted ? '' : row.author, mine },
    state: row.state,
    countOfReplies: row.countOfReplies,
    createdAt: row.createdAt,
    editedAt: row.editedAt,
    editableUntil: mine ? editableUntil(row).toISOString() : null,
  }
}
