import type { Ctx } from '#api/context.ts'
import type { CommentRow } from '#api/db/queries/comments.ts'
import type { Comment } from '#contract/engagement.ts'
import type { MemberId } from '#contract/ids.ts'
import { settingsIn } from '#contract/tenancy.ts'

const editableMilliseconds = 15 * 60 * 1000

/** Who looks at comments. `viewer` is null for a guest; the store's own replies carry `storeName`. */
export interface CommentViewer {
  viewer: MemberId | null
  storeName: string
}

export const commentViewer = ({
  actor,
  customer,
  locale,
}: Pick<Ctx, 'actor' | 'customer' | 'locale'>): CommentViewer => ({
  viewer: actor.kind === 'USER' ? actor.memberId : null,
  storeName: settingsIn(customer.settings, locale).base.name ?? customer.code,
})

/** Until when its author may edit a comment. */
export const editableUntil = (comment: Pick<CommentRow, 'createdAt'>) =>
  new Date(Date.parse(comment.createdAt) + editableMilliseconds)

/** A comment as its reader sees it. Of a deleted one, and to others of a hidden one, only the place is left. */
export const viewComment = (row: CommentRow, { viewer, storeName }: CommentViewer): Comment => {
  const isOwn = row.memberId !== null && row.memberId === viewer
  const removed = row.state === 'DELETED' || (row.state === 'HIDDEN' && !isOwn)
  const isStore = !removed && row.memberId === null
  const mine = !removed && isOwn
  return {
    id: row.id,
    parentId: row.parentId,
    body: removed ? null : row.body,
    author: { name: removed ? '' : isStore ? storeName : row.author, mine, isStore },
    state: row.state,
    countOfReplies: row.countOfReplies,
    createdAt: row.createdAt,
    editedAt: row.editedAt,
    editableUntil: mine ? editableUntil(row).toISOString() : null,
  }
}
