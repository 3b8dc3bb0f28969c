import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { commentState } from '#contract/enumerations.ts'
import { memberId, productCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { listInput, parameter, searchParser, shared } from '../../platform/search'

export const parseCommentsSearch = searchParser({
  q: shared.text,
  state: parameter(commentState),
  reported: parameter(z.enum(['OPEN', 'ANY'])),
  product: parameter(productCode),
  memberId: parameter(memberId),
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type CommentsSearch = ReturnType<typeof parseCommentsSearch>

/** The comments that wait for a decision. What changes a comment changes all that begins so. */
export const commentsKey = ['comments'] as const

export const commentsQuery = (api: AdminApi, search: CommentsSearch) =>
  queryOptions({
    queryKey: [...commentsKey, listInput(search)],
    queryFn: () => api.admin.comments.list(listInput(search)),
  })
