import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { productCode } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { Button } from '~/ui/button'
import { useAdminApi } from '../../platform/admin-api'
import { useWrite } from '../../platform/use-write'

/** Leads to what a job is for: its product, or the library. */
export function JobTarget({ job: { productCode: code, productTitle, videoId } }: { job: VideoJob }) {
  if (code !== null)
    return (
      <Link to="/products/$code" params={{ code: z.parse(productCode, code) }}>
        <bdi>{productTitle ?? code}</bdi>
      </Link>
    )
  return videoId ? (
    <Link to="/videos/$id" params={{ id: videoId }}>
      <Trans>Library</Trans>
    </Link>
  ) : (
    <Link to="/videos/library">
      <Trans>Library</Trans>
    </Link>
  )
}

/** Cancels a video job that is under way, or begins one again whose file is still stored. */
export function JobActions({ job: { id, status, canRetry } }: { job: VideoJob }) {
  const { t } = useLingui()
  const api = useAdminApi()
  const options = { changes: [['video-jobs'], ['home']], notifiesFailure: true }
  const cancel = useWrite(() => api.media.cancelVideoJob({ id }), { done: t`Encoding canceled`, ...options })
  const retry = useWrite(() => api.media.retryVideoJob({ id }), { done: t`Encoding begins again`, ...options })
  if (status === 'QUEUED' || status === 'RUNNING')
    return (
      <Button size="s" loading={cancel.isPending} onClick={() => cancel.send(undefined)}>
        <Trans>Cancel</Trans>
      </Button>
    )
  if (!canRetry) return null
  return (
    <Button size="s" loading={retry.isPending} onClick={() => retry.send(undefined)}>
      <Trans>Try again</Trans>
    </Button>
  )
}
