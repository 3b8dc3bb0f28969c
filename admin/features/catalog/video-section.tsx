import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { StoreProduct } from '#contract/admin/products.ts'
import type { ProductCode } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { Button, IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { ProgressBar } from '~/ui/progress'
import { useAdminApi } from '../../platform/admin-api'
import { useFormat } from '../../platform/format'
import { lazyPart } from '../../platform/lazy-part'
import { readPreference, writePreference } from '../../platform/preferences'
import { useMay } from '../../platform/session'
import { addUploads, isUploading, useUploads } from '../../platform/uploads'
import { useWrite } from '../../platform/use-write'
import { useConfirm } from '../../ui/confirm'
import { FileButton } from '../../ui/file-button'
import { Refusal } from '../../ui/form'
import form from '../../ui/form.module.css'
import { Section } from '../../ui/page'
import { videoJobStatuses } from '../../ui/product-labels'
import { Rows } from '../../ui/rows'
import { Loaded } from '../../ui/states'
import { JobActions } from '../media/job-actions'
import { JobReason } from '../media/job-reason'
import { videoJobsQuery } from '../media/videos.queries'

/** What has ended without a video, and is hidden in this browser: the latest ones. */
const hiddenJobs = () => readPreference('hidden-jobs')?.split(' ') ?? []
const maxHidden = 100

/** Whether a later job of the same place has a video. Jobs are the latest first. */
const isReplaced = ({ id, lesson }: VideoJob, jobs: readonly VideoJob[]) =>
  jobs
    .slice(
      0,
      jobs.findIndex((job) => job.id === id),
    )
    .some((job) => job.status === 'READY' && job.lesson === lesson)

const hasNoVideo = ({ status }: VideoJob) => status === 'FAILED' || status === 'CANCELLED'

function Jobs({ jobs: all, isAllowed }: { jobs: readonly VideoJob[]; isAllowed: boolean }) {
  const { t, i18n } = useLingui()
  const { dateTime, duration } = useFormat()
  const [hidden, setHidden] = useState(hiddenJobs)
  const jobs = all
    .filter((job) => !hasNoVideo(job) || (!hidden.includes(job.id) && !isReplaced(job, all)))
    .slice(0, shownJobs)
  const hide = (id: VideoJob['id']) => {
    const ids = [id, ...hiddenJobs()].slice(0, maxHidden)
    writePreference('hidden-jobs', ids.join(' '))
    setHidden(ids)
  }
  return (
    <Rows
      items={jobs.map((job) => {
        const { id, file, lesson, status, percent, secondsLeft, why, createdAt } = job
        const { name } = file
        const { label, tone } = videoJobStatuses[status]
        return {
          key: id,
          title: (
            <>
              <bdi>{name}</bdi> {lesson !== null && <Trans>(lesson {lesson})</Trans>}{' '}
              <Badge tone={tone}>{i18n._(label)}</Badge>
            </>
          ),
          detail: (
            <>
              {status === 'RUNNING' ? (
                <>
                  <ProgressBar fraction={percent / 100} label={t`Encoding`} />
                  {secondsLeft !== null && <Trans>{duration(secondsLeft)} left</Trans>}
                </>
              ) : (
                dateTime(createdAt)
              )}
              {why && <JobReason job={job} />}
            </>
          ),
          end: (
            <>
              {isAllowed && <JobActions job={job} />}
              {hasNoVideo(job) && <IconButton icon="close" label={t`Dismiss ${name}`} onClick={() => hide(id)} />}
            </>
          ),
        }
      })}
    />
  )
}

const VideoChoice = lazyPart(async () => ({ default: (await import('../media/video-choice')).VideoChoice }))

const shownJobs = 5

interface VideoSectionProps {
  product: StoreProduct
  /** The videos of lessons are uploaded with them. The one of the product is the trailer. */
  hasLessons: boolean
  onReady: () => void
}

/** Removes the video of a product once its code is typed. */
const useRemoval = (code: ProductCode, hasLessons: boolean) => {
  const { t } = useLingui()
  const api = useAdminApi()
  const remove = useWrite(() => api.admin.products.removeVideo({ code }), {
    done: t`Video removed`,
    changes: [['product', code], ['products'], ['posters', code], ['video-jobs'], ['video-library'], ['video']],
  })
  const confirm = useConfirm({
    title: hasLessons ? t`Remove the trailer?` : t`Remove the video?`,
    text: (
      <p>
        <Trans>
          It closes at once, also for those who are watching it, and what is being encoded for it is canceled. Its files
          are deleted within hours, unless something else shows it.
        </Trans>
      </p>
    ),
    action: t`Remove`,
    word: code,
    onConfirm: () => remove.sendAsync(undefined),
  })
  return { ...confirm, failure: remove.failure }
}

/** What opens, replaces or removes the video of a product. */
function VideoButtons({ product, hasLessons }: Pick<VideoSectionProps, 'product' | 'hasLessons'>) {
  const isAllowed = useMay()('videos:write')
  const { code, videoId } = product
  const [isChoosing, setChoosing] = useState(false)
  const removal = useRemoval(code, hasLessons)
  const isUploaded = useUploads().some(
    (upload) => upload.product === code && upload.lesson === undefined && isUploading(upload),
  )
  return (
    <>
      {(videoId !== null || (isAllowed && !isUploaded)) && (
        <div className={form.buttons}>
          {videoId !== null && (
            <Button render={<Link to="/videos/$id" params={{ id: videoId }} search={{ product: code }} />}>
              <Trans>Captions and chapters</Trans>
            </Button>
          )}
          {isAllowed && !isUploaded && (
            <FileButton accept="video/*,.mkv" onChoose={(file) => addUploads([{ file, product: code }])}>
              <UploadLabel isNew={videoId === null} hasLessons={hasLessons} />
            </FileButton>
          )}
          {isAllowed && !isUploaded && (
            <Button onClick={() => setChoosing(true)}>
              <Trans>Choose from the library</Trans>
            </Button>
          )}
          {isAllowed && videoId !== null && (
            <Button onClick={removal.ask}>
              {hasLessons ? <Trans>Remove the trailer</Trans> : <Trans>Remove the video</Trans>}
            </Button>
          )}
        </div>
      )}
      <Refusal failure={removal.failure} />
      {removal.dialog}
      {isChoosing && <VideoChoice product={code} current={videoId} onClose={() => setChoosing(false)} />}
    </>
  )
}

function UploadLabel({ isNew, hasLessons }: { isNew: boolean; hasLessons: boolean }) {
  if (hasLessons) return isNew ? <Trans>Upload a trailer</Trans> : <Trans>Replace the trailer</Trans>
  return isNew ? <Trans>Upload a video</Trans> : <Trans>Replace the video</Trans>
}

/** Uploads the video of a product and shows how its encoding goes. */
export function VideoSection({ product, hasLessons, onReady }: VideoSectionProps) {
  const { duration } = useFormat()
  const isAllowed = useMay()('videos:write')
  const { code, durationSeconds } = product
  const jobs = useQuery(videoJobsQuery(useAdminApi(), code))
  const latest = jobs.data?.items[0]
  const isNew = latest?.status === 'READY' && durationSeconds === null
  useEffect(() => {
    if (isNew) onReady()
  }, [isNew, onReady])
  return (
    <Section title={<Trans>Video</Trans>}>
      <p>
        {durationSeconds === null ? (
          <Trans>There is no video yet.</Trans>
        ) : (
          <Trans>Length: {duration(durationSeconds)}</Trans>
        )}
      </p>
      <Loaded query={jobs}>{({ items }) => items.length > 0 && <Jobs jobs={items} isAllowed={isAllowed} />}</Loaded>
      {hasLessons && (
        <p>
          <Trans>
            Beside lessons, a video of the product itself is the trailer: visitors see its preview, and “Watch now”
            begins with it.
          </Trans>
        </p>
      )}
      <VideoButtons product={product} hasLessons={hasLessons} />
    </Section>
  )
}
