import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { getComments, getReplies } from './comments.functions'

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
