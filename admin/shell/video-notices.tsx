import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { VideoJobId } from '#contract/ids.ts'
import { isUnderWay, latestVideoJobsQuery } from '../features/media/videos.queries'
import { useAdminApi } from '../platform/admin-api'
import { notify } from '../platform/notifications'

/** Says on every page that a video has been encoded, or could not be. */
export function VideoNotices() {
  const { t } = useLingui()
  const jobs = useQuery(latestVideoJobsQuery(useAdminApi())).data?.items
  const underWay = useRef<ReadonlySet<VideoJobId>>(new Set())
  useEffect(() => {
    if (!jobs) return
    for (const { id, status, file } of jobs) {
      if (!underWay.current.has(id)) continue
      if (status === 'READY') notify('success', t`“${file.name}” is ready to watch.`)
      if (status === 'FAILED') notify('error', t`“${file.name}” could not be encoded.`)
    }
    underWay.current = new Set(jobs.filter(isUnderWay).map(({ id }) => id))
  }, [jobs, t])
  return null
}
