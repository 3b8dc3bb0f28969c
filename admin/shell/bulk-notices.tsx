import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { BulkJobId } from '#contract/ids.ts'
import { bulkJobsQuery, isBulkUnderWay, reloadBulkLists } from '../features/admin/bulk.queries'
import { useAdminApi } from '../platform/admin-api'
import { notify } from '../platform/notifications'

/** Says on every page that a change of many is done. */
export function BulkNotices() {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const jobs = useQuery(bulkJobsQuery(useAdminApi())).data?.items
  const underWay = useRef<ReadonlySet<BulkJobId>>(new Set())
  useEffect(() => {
    if (!jobs) return
    const finished = jobs.filter((job) => underWay.current.has(job.id) && !isBulkUnderWay(job))
    for (const { status, changed, total } of finished) {
      if (status === 'DONE') notify('success', t`The change of many is done: ${changed} of ${total} were changed.`)
      if (status === 'REFUSED')
        notify('error', t`The change of many ended: ${changed} of ${total} were changed, then the permission was lost.`)
    }
    if (finished.length > 0) void reloadBulkLists(queryClient)
    underWay.current = new Set(jobs.filter(isBulkUnderWay).map(({ id }) => id))
  }, [jobs, t, queryClient])
  return null
}
