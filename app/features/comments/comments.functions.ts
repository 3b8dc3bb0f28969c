import * as z from 'zod/mini'
import { commentBody, commentEdit, commentReport } from '#contract/engagement.ts'
import { commentId, productId } from '#contract/ids.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'

const ofProduct = { id: productId }
const ofComment = { id: productId, commentId }

export const getComments = readFn()
  .validator(checked(z.object({ ...ofProduct, page: z.int().check(z.gte(1)), size: z.int() })))
  .handler(({ data, context }) => context.ask((api) => api.engagement.comments(data)))

export const getReplies = readFn()
  .validator(checked(z.object(ofComment)))
  .handler(({ data, context }) => context.ask((api) => api.engagement.replies(data)))

/** Comments, or replies where `parentId` is given. 403 COMMENTS_CLOSED where the product takes none. */
export const addComment = writeFn()
  .validator(checked(z.extend(commentBody, ofProduct)))
  .handler(({ data, context }) => context.ask((api) => api.engagement.addComment(data)))

export const editComment = writeFn()
  .validator(checked(z.extend(commentEdit, ofComment)))
  .handler(({ data, context }) => context.ask((api) => api.engagement.editComment(data)))

export const deleteComment = writeFn()
  .validator(checked(z.object(ofComment)))
  .handler(({ data, context }) => context.ask(async (api) => void (await api.engagement.deleteComment(data))))

export const reportComment = writeFn()
  .validator(checked(z.extend(commentReport, ofComment)))
  .handler(({ data, context }) => context.ask(async (api) => void (await api.engagement.reportComment(data))))
