import * as z from 'zod/mini'
import { productCard } from '../catalog.ts'
import { comment, commentBody, commentEdit, commentPage, commentReport, likeAnswer, likeBody } from '../engagement.ts'
import { sortOption } from '../enumerations.ts'
import { commentId, productId } from '../ids.ts'
import { page, pageOf, pagingQuery, size } from '../paging.ts'
import { procedure } from './procedure.ts'

const tag = 'Engagement'
const ofComment = z.object({ id: productId, commentId })
const cards = pageOf(productCard)

export const engagementProcedures = {
  like: procedure('member', 'POST', '/products/{id}/like', { tag, summary: 'Like a product, or take it back' })
    .input(z.extend(likeBody, { id: productId }))
    .output(likeAnswer),
  view: procedure('guest', 'POST', '/products/{id}/views', {
    tag,
    summary: 'Count a look at a product',
    description: 'For readers that keep product pages, and ask for them with `view=false`.',
    status: 204,
  }).input(z.object({ id: productId })),
  liked: procedure('member', 'GET', '/products/liked', { tag, summary: 'Liked products, latest first' })
    .input(pagingQuery)
    .output(cards),
  purchased: procedure('member', 'GET', '/products/purchased', {
    tag,
    summary: 'Products with a live right, latest first',
  })
    .input(z.object({ sort: z.optional(sortOption), page, size }))
    .output(cards),
  comments: procedure('guest', 'GET', '/products/{id}/comments', { tag, summary: 'Comments, latest first' })
    .input(z.extend(pagingQuery, { id: productId }))
    .output(commentPage),
  addComment: procedure('member', 'POST', '/products/{id}/comments', {
    tag,
    summary: 'Comment or reply',
    description: 'A comment with links is held until an operator has seen it.',
    status: 201,
  })
    .input(z.extend(commentBody, { id: productId }))
    .output(comment),
  replies: procedure('guest', 'GET', '/products/{id}/comments/{commentId}/replies', {
    tag,
    summary: 'Replies, oldest first',
  })
    .input(ofComment)
    .output(z.object({ items: z.array(comment) })),
  editComment: procedure('member', 'PATCH', '/products/{id}/comments/{commentId}', {
    tag,
    summary: 'Edit an own comment within 15 minutes',
  })
    .input(z.extend(commentEdit, { id: productId, commentId }))
    .output(comment),
  deleteComment: procedure('member', 'DELETE', '/products/{id}/comments/{commentId}', {
    tag,
    summary: 'Delete an own comment',
    status: 204,
  }).input(ofComment),
  reportComment: procedure('member', 'POST', '/products/{id}/comments/{commentId}/report', {
    tag,
    summary: 'Report a comment',
    status: 204,
  }).input(z.extend(commentReport, { id: productId, commentId })),
}
