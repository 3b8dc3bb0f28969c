import { queryOptions } from '@tanstack/react-query'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { listInput } from '../../platform/search'
import type { CommentsSearch } from './comments.search'

/** The comments that wait for a decision. What changes a comment changes all that begins so. */
export const commentsKey = ['comments'] as const

export const commentsQuery = (api: AdminApi, search: CommentsSearch) =>
  queryOptions({
    queryKey: [...commentsKey, listInput(search)],
    queryFn: () => api.admin.comments.list(listInput(search)),
  })

export const commentsCountQuery = (api: AdminApi, search: CommentsSearch) =>
  countQuery(commentsKey, listInput(search), (filters) => api.admin.counts.comments(filters))
