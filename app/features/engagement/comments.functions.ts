import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { commentBody, commentEdit, commentReport } from '#contract/engagement.ts'
import { type CommentId, commentId, type ProductId, productId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'

const ofProduct = { id: productId }
const ofComment = { id: productId, commentId }

const getComments = readFn()
  .validator(checked(z.object({ ...ofProduct, page: z.int().check(z.gte(1)), size: z.int() })))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.comments(data)))

const getReplies = readFn()
  .validator(checked(z.object(ofComment)))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.replies(data)))

/**
 * Comments, or replies where `parentId` is given. 403 COMMENTS_CLOSED where the product accepts
 * none.
 */
export const addComment = writeFn()
  .validator(checked(z.extend(commentBody, ofProduct)))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.addComment(data)))

export const editComment = writeFn()
  .validator(checked(z.extend(commentEdit, ofComment)))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.editComment(data)))

export const deleteComment = writeFn()
  .validator(checked(z.object(ofComment)))
  .handler(({ data, context }) => context.callApi(async (api) => void (await api.engagement.deleteComment(data))))

export const reportComment = writeFn()
  .validator(checked(z.extend(commentReport, ofComment)))
  .handler(({ data, context }) => context.callApi(async (api) => void (await api.engagement.reportComment(data))))

export const commentsPerPage = 10

/** A product's comments, latest first, page after page. */
export const commentsQuery = (id: ProductId) =>
  infiniteQueryOptions({
    queryKey: ['comments', id],
    queryFn: ({ pageParam, signal }) =>
      call((s) => getComments({ data: { id, page: pageParam, size: commentsPerPage }, signal: s }), { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : undefined),
  })

/** The replies to one comment, oldest first. */
export const repliesQuery = (id: ProductId, commentId: CommentId) =>
  queryOptions({
    queryKey: ['comments', id, 'replies', commentId],
    queryFn: ({ signal }) => call((s) => getReplies({ data: { id, commentId }, signal: s }), { signal }),
    select: ({ items }) => items,
  })
