import type { NamedVideoJob } from '#api/db/queries/video-jobs.ts'
import type { VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/videos.ts'
import { attemptsAtMost, turnOf } from './states.ts'

/** A job as operators see it. */
export const viewJob = (job: NamedVideoJob): VideoJob => ({
  id: job.id as VideoJobId,
  productCode: job.productCode,
  lesson: job.lesson,
  file: { name: job.sourceName, bytes: job.sourceBytes },
  status: job.status as VideoJob['status'],
  step: job.status === 'RUNNING' ? job.step : null,
  percent: Math.round(job.percent * 10) / 10,
  secondsLeft: job.secondsLeft,
  why: job.failure === null ? null : { code: job.failure, sentence: job.reason ?? job.failure },
  attempts: job.status === 'QUEUED' ? job.attempts % attemptsAtMost : turnOf(job.attempts),
  ...{ createdAt: job.createdAt, startedAt: job.startedAt, endedAt: job.endedAt },
})
