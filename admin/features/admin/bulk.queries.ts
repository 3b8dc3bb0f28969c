import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { BulkJob } from '#contract/admin/bulk.ts'
import type { BulkJobId } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { pollEvery } from '../../platform/live-changes'

export const bulkKey = ['bulk-jobs'] as const

export const isBulkUnderWay = ({ finishedAt }: BulkJob) => finishedAt === null

export const bulkJobsQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: bulkKey,
    queryFn: () => api.admin.bulk.list(),
    refetchInterval: ({ state }) => state.data?.items.some(isBulkUnderWay) && pollEvery(3000),
  })

export const bulkJobQuery = (api: AdminApi, id: BulkJobId) =>
  queryOptions({
    queryKey: [...bulkKey, id],
    queryFn: () => api.admin.bulk.get({ id }),
    refetchInterval: ({ state }) => state.data && isBulkUnderWay(state.data.job) && pollEvery(2000),
  })

/** Loads the lists again that a job has changed. */
export const reloadBulkLists = (queryClient: QueryClient) =>
  Promise.all(
    ['products', 'members', 'member-tags', 'member-facets', 'inquiries', 'mails'].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  )
