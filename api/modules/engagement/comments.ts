import { readProductState } from '#api/modules/catalog/playables.queries.ts'
import { changeProductCount } from '#api/modules/catalog/products.ts'
import { rightOf } from '#api/modules/entitlements/entitlements.ts'
import { visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import {
  type Ctx,
  type EventHandler,
  type Failure,
  failure,
  invalidField,
  isFailure,
  type MemberCtx,
  viewerOf,
} from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { Comment } from '#contract/engagement.ts'
import type { CommentId, MemberId, ProductId } from '#contract/ids.ts'
import type { PagingQuery } from '#contract/paging.ts'
import { settingsIn } from '#contract/tenancy.ts'
import {
  type CommentRow,
  insertComment,
  insertReport,
  lockComment,
  readComment,
  readComments,
  readCommentsToReview,
  readReplies,
  updateComment,
} from './comments.queries.ts'
import { moveViewedProducts, recordView, setLike } from './engagement.queries.ts'
import { approveComment, blockedPhraseIn, type ReadText } from './moderation.ts'

const editableMilliseconds = 15 * 60 * 1000

/** The reader of comments. `viewer` is null for a guest; the store's replies carry `storeName`. */
export interface CommentViewer {
  viewer: MemberId | null
  storeName: string
}

/** Returns who reads comments, and how the store is named in replies. */
const commentViewer = ({ actor, customer, locale }: Pick<Ctx, 'actor' | 'customer' | 'locale'>): CommentViewer => ({
  viewer: actor.kind === 'USER' ? actor.memberId : null,
  storeName: settingsIn(customer.settings, locale).base.name ?? customer.code,
})

/** The end of the period in which the author can edit a comment. */
const editableUntil = (comment: Pick<CommentRow, 'createdAt'>) =>
  new Date(Date.parse(comment.createdAt) + editableMilliseconds)

/**
 * A comment as its reader sees it. Deleted comments, and hidden ones of others, are placeholders.
 */
const viewComment = (row: CommentRow, { viewer, storeName }: CommentViewer): Comment => {
  const isOwn = row.memberId !== null && row.memberId === viewer
  const removed = row.state === 'DELETED' || (row.state === 'HIDDEN' && !isOwn)
  const isStore = !removed && row.memberId === null
  const isMine = !removed && isOwn
  return {
    id: row.id,
    parentId: row.parentId,
    body: removed ? null : row.body,
    author: { name: removed ? '' : isStore ? storeName : row.author, mine: isMine, isStore },
    state: row.state,
    countOfReplies: row.countOfReplies,
    createdAt: row.createdAt,
    editedAt: row.editedAt,
    editableUntil: isMine ? editableUntil(row).toISOString() : null,
  }
}

/** Matches anything that looks like a link to another site. */
const link = /https?:\/\/|www\.|\b[a-z0-9-]+\.(?:com|net|org|io|kr|jp|ru|cn|xyz|top|shop|site|info)\b/i

/** Comments that are held, or shown with unresolved reports, the longest waiting first. */
export const listCommentsToReview = async ({ db, customer }: Ctx, limit: number) => {
  const rows = await readCommentsToReview(db, customer.id, limit)
  return rows.map((row) => ({ ...row, hasLink: link.test(row.body) }))
}

/** The state of a new text: one with a blocked word or a link is held for moderation. */
const stateOf = async (ctx: Ctx, body: string) => {
  const heldPhrase = await blockedPhraseIn(ctx, body)
  return { state: heldPhrase !== null || link.test(body) ? 'HELD' : 'SHOWN', heldPhrase } as const
}

export interface NewComment {
  productId: ProductId
  body: string
  parentId?: CommentId | undefined
}

/**
 * Adds a comment to a product, or a reply to a top-level comment. A text with links or blocked
 * words is held.
 */
export const addComment = async (ctx: MemberCtx, { productId, body, parentId }: NewComment) => {
  const { customer, actor, db, clock } = ctx
  const product = await visibleProduct(ctx, productId)
  if (!product) return failure('NOT_FOUND')
  const { useComment, commentPolicy } = customer.settings.operation
  if (!useComment) return failure('COMMENTS_CLOSED')
  if (commentPolicy === 'BUYERS' && !(await rightOf(ctx, product)).entitled) return failure('NOT_ENTITLED')
  if (parentId) {
    const parent = await readComment(db, customer.id, productId, actor.memberId, parentId, { lock: true })
    if (!parent || parent.state === 'DELETED' || parent.state === 'HIDDEN') return failure('NOT_FOUND')
    const i18n = messagesOf(ctx.locale)
    if (parent.parentId) return invalidField('parentId', i18n._('You can’t reply to a reply.'))
  }

  const id = newId<CommentId>()
  const { state, heldPhrase } = await stateOf(ctx, body)
  const createdAt = clock.now().toISOString()
  await insertComment(db, {
    customerId: customer.id,
    id,
    productId,
    memberId: actor.memberId,
    body,
    state,
    heldPhrase,
    createdAt,
    parentId: parentId ?? null,
  })
  if (state === 'SHOWN') await changeProductCount(ctx, productId, 'comments', 1)
  else await emit(ctx, 'commentHeld', { commentId: id, productId, memberId: actor.memberId })
  const written = await readComment(db, customer.id, productId, actor.memberId, id)
  return written ? viewComment(written, commentViewer(ctx)) : failure('NOT_FOUND')
}

interface CommentPath {
  productId: ProductId
  commentId: CommentId
}

const find = ({ customer, actor, db }: MemberCtx, { productId, commentId }: CommentPath, lock: boolean) =>
  readComment(db, customer.id, productId, actor.memberId, commentId, { lock })

/**
 * Edits the member's own comment within the editing period. New links and blocked words hold it; a
 * held or hidden comment does not become visible.
 */
export const editComment = async (ctx: MemberCtx, path: CommentPath, body: string) => {
  const { customer, actor, db, clock } = ctx
  const comment = await find(ctx, path, true)
  if (!comment) return failure('NOT_FOUND')
  if (comment.memberId !== actor.memberId || clock.now() > editableUntil(comment)) return failure('FORBIDDEN')
  const { state: newState, heldPhrase } = await stateOf(ctx, body)
  const state = comment.state === 'SHOWN' ? newState : comment.state
  const editedAt = clock.now().toISOString()
  await updateComment(db, customer.id, path.commentId, { body, state, heldPhrase, editedAt })
  if (comment.state === 'SHOWN' && state === 'HELD') {
    await changeProductCount(ctx, path.productId, 'comments', -1)
    await emit(ctx, 'commentHeld', { ...path, memberId: actor.memberId })
  }
  return viewComment({ ...comment, body, state, editedAt }, commentViewer(ctx))
}

/** Deletes the member's own comment. The row remains as a placeholder for its replies. */
export const deleteComment = async (ctx: MemberCtx, path: CommentPath) => {
  const comment = await find(ctx, path, true)
  if (!comment) return failure('NOT_FOUND')
  if (comment.memberId !== ctx.actor.memberId) return failure('FORBIDDEN')
  await updateComment(ctx.db, ctx.customer.id, path.commentId, { state: 'DELETED' })
  if (comment.state === 'SHOWN') await changeProductCount(ctx, path.productId, 'comments', -1)
  return undefined
}

/** Reports a comment of another member. Idempotent; own comments cannot be reported. */
export const reportComment = async (ctx: MemberCtx, path: CommentPath, reason: string) => {
  const comment = await find(ctx, path, false)
  if (!comment) return failure('NOT_FOUND')
  if (comment.memberId === ctx.actor.memberId) return failure('FORBIDDEN')
  const { customer, actor, db } = ctx
  await insertReport(db, {
    customerId: customer.id,
    commentId: path.commentId,
    memberId: actor.memberId,
    reason,
  })
  return undefined
}

/** A product's comments, latest first, without replies. */
export const listComments = async (ctx: Ctx, productId: ProductId, { page, size }: PagingQuery) => {
  const { customer, db } = ctx
  if (!(await visibleProduct(ctx, productId))) return failure('NOT_FOUND')
  const viewer = commentViewer(ctx)
  const { items, total } = await readComments(db, customer.id, productId, viewer.viewer, {
    limit: size,
    offset: (page - 1) * size,
  })
  return { items: items.map((row) => viewComment(row, viewer)), total, page, size }
}

/** The replies to a comment, oldest first. */
export const listReplies = async (ctx: Ctx, productId: ProductId, commentId: CommentId) => {
  const { customer, db } = ctx
  if (!(await visibleProduct(ctx, productId))) return failure('NOT_FOUND')
  const viewer = commentViewer(ctx)
  const replies = await readReplies(db, customer.id, productId, viewer.viewer, commentId)
  if (replies.length === 0 && !(await readComment(db, customer.id, productId, viewer.viewer, commentId)))
    return failure('NOT_FOUND')
  return { items: replies.map((row) => viewComment(row, viewer)) }
}

const longestReply = 1000

/**
 * Replies in the store's name. Replies have one level: a reply to a reply belongs to the same
 * comment. With `approves` a held comment is approved as well. Failures: NOT_FOUND, CONFLICT if
 * visitors cannot see the comment, VALIDATION_FAILED for an empty or too long text.
 */
export const replyAsStore = async (
  ctx: Ctx,
  by: AuditActor,
  { id, body, approves = false, editedAt }: { id: CommentId; body: string; approves?: boolean } & ReadText,
): Promise<{ id: CommentId } | Failure> => {
  const { customer, db, clock } = ctx
  const i18n = messagesOf(ctx.locale)
  const text = body.trim()
  if (text === '' || text.length > longestReply)
    return invalidField('body', i18n._('Write a reply of 1 to {max} characters.', { max: longestReply }))
  const comment = await lockComment(db, customer.id, id)
  const parent = comment?.parentId ? await lockComment(db, customer.id, comment.parentId) : comment
  if (!comment || !parent) return failure('NOT_FOUND')
  const refused = (text: string) => failure('CONFLICT', { errors: { id: [text] } })
  const isShown = ({ id: each, state }: Pick<CommentRow, 'id' | 'state'>) =>
    state === 'SHOWN' || (approves && each === id && state === 'HELD')
  if (!isShown(comment)) return refused(i18n._('Visitors cannot see this comment. Approve it first, then reply to it.'))
  if (!isShown(parent))
    return refused(i18n._('This comment is a reply to one that visitors cannot see, so you cannot reply to it.'))
  const approved = comment.state === 'HELD' ? await approveComment(ctx, by, { id, editedAt }) : comment
  if (isFailure(approved)) return approved
  const reply = { id: newId<CommentId>(), parentId: parent.id, productId: parent.productId, memberId: null }
  await insertComment(db, {
    ...reply,
    customerId: customer.id,
    body: text,
    state: 'SHOWN',
    createdAt: clock.now().toISOString(),
  })
  await changeProductCount(ctx, parent.productId, 'comments', 1)
  const detail = { reply: reply.id }
  await audit(ctx, { actor: by, action: 'comment.answered', subject: `comment:${id}`, detail })
  return { id: reply.id }
}

/** Likes or unlikes a product. Idempotent; a hidden product can still be unliked. */
export const likeProduct = async (ctx: MemberCtx, productId: ProductId, liked: boolean) => {
  const { customer, actor, db } = ctx
  const product = liked ? await visibleProduct(ctx, productId) : await readProductState(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND')
  const by = await setLike(db, { customerId: customer.id, memberId: actor.memberId, productId }, liked)
  return { liked, countOfLikes: await changeProductCount(ctx, productId, 'likes', by) }
}

/**
 * Counts a page view of a product and adds it to the viewer's history. Fails with NOT_FOUND if the
 * viewer cannot see it.
 */
export const viewProduct = async (ctx: Ctx, id: ProductId): Promise<Failure | undefined> => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  await recordProductView(ctx, id)
  return undefined
}

/** Counts a view of a product that the viewer has just been shown, and adds it to their history. */
export const recordProductView = ({ db, customer, actor, clock }: Ctx, id: ProductId) =>
  recordView(db, customer.id, viewerOf(actor), id, clock.now())

/** Moves the viewed products of a merged account. */
export const moveMergedHistory: EventHandler<'memberMerged'> = ({ db, customer }, { fromId, memberId }) =>
  moveViewedProducts(db, customer.id, fromId, memberId)

/** Moves the viewed products of a guest to the member who has signed in. */
export const moveGuestHistory: EventHandler<'memberSignedIn'> = ({ db, customer }, { guestId, memberId }) =>
  moveViewedProducts(db, customer.id, guestId, memberId)
