import * as z from 'zod/mini'
import { productCard } from '../catalog.ts'
import { comment, commentBody, commentEdit, commentPage, commentReport, likeAnswer, likeBody } from '../engagement.ts'
import { sortOption } from '../enumerations.ts'
import { commentId, productId } from '../ids.ts'
import { page, pageOf, pagingQuery, serverTime, size } from '../paging.ts'
import { procedure } from './procedure.ts'

const tag = 'Engagement'
const ofComment = z.object({ id: productId, commentId })
const cards = pageOf(productCard)

export const engagementProcedures = {
  like: procedure('member', 'POST', '/products/{id}/like', { tag, summary: 'Like or unlike a product' })
    .input(z.extend(likeBody, { id: productId }))
    .output(likeAnswer),
  view: procedure('guest', 'POST', '/products/{id}/views', {
    tag,
    summary: 'Count a view of a product',
    description: 'For clients that cache product pages and request them with `view=false`.',
    status: 204,
  }).input(z.object({ id: productId })),
  liked: procedure('member', 'GET', '/products/liked', {
    tag,
    summary: 'List liked products',
    description: 'Returns the products liked last first.',
  })
    .input(pagingQuery)
    .output(cards),
  purchased: procedure('member', 'GET', '/products/purchased', {
    tag,
    summary: 'List purchased products',
    description: 'Returns products that the member may watch or download now, latest first.',
  })
    .input(z.object({ sort: z.optional(sortOption), page, size }))
    .output(z.extend(cards, serverTime)),
  comments: procedure('guest', 'GET', '/products/{id}/comments', {
    tag,
    summary: 'List comments',
    description: 'Returns the latest comments first.',
  })
    .input(z.extend(pagingQuery, { id: productId }))
    .output(commentPage),
  addComment: procedure('member', 'POST', '/products/{id}/comments', {
    tag,
    summary: 'Create a comment or a reply',
    description: 'A comment with links is not published until an operator has approved it.',
    status: 201,
  })
    .input(z.extend(commentBody, { id: productId }))
    .output(comment),
  replies: procedure('guest', 'GET', '/products/{id}/comments/{commentId}/replies', {
    tag,
    summary: 'List the replies to a comment',
    description: 'Returns the oldest replies first.',
  })
    .input(ofComment)
    .output(z.object({ items: z.array(comment) })),
  editComment: procedure('member', 'PATCH', '/products/{id}/comments/{commentId}', {
    tag,
    summary: 'Update a comment',
    description: 'Members can edit their own comments for 15 minutes.',
  })
    .input(z.extend(commentEdit, { id: productId, commentId }))
    .output(comment),
  deleteComment: procedure('member', 'DELETE', '/products/{id}/comments/{commentId}', {
    tag,
    summary: 'Delete a comment',
    description: 'Members can delete their own comments.',
    status: 204,
  }).input(ofComment),
  reportComment: procedure('member', 'POST', '/products/{id}/comments/{commentId}/report', {
    tag,
    summary: 'Report a comment',
    status: 204,
  }).input(z.extend(commentReport, { id: productId, commentId })),
}
