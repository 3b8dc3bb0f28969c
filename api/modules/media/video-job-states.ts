import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import type { I18n, Message } from '#api/platform/i18n/messages.ts'
import { type VideoJobStatus, videoJobStatus } from '#contract/enumerations.ts'
import type { LessonId, ProductId, VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import type { Page } from '#contract/paging.ts'
import {
  type Attempt,
  announceVideoJobs,
  databaseNow,
  findVideoJob,
  type JobFilter,
  lockVideoJob,
  type NamedVideoJob,
  openJobsOf,
  readVideoJobs,
  secondsFromNow,
  setVideoJob,
  writeAttempt,
} from './video-jobs.queries.ts'
import { lockProduct, videoExists } from './videos.queries.ts'

export type VideoJobChange = 'TAKEN' | 'FINISHED' | 'FAILED' | 'PUT_OFF' | 'CANCELLED' | 'RETRIED'

/** All allowed transitions of a video job. Any other change has no effect. */
const videoJobTransitions = {
  QUEUED: { TAKEN: 'RUNNING', CANCELLED: 'CANCELLED' },
  // PUT_OFF: a temporary failure or a lost worker.
  RUNNING: { FINISHED: 'READY', FAILED: 'FAILED', PUT_OFF: 'QUEUED', CANCELLED: 'CANCELLED' },
  FAILED: { RETRIED: 'QUEUED' },
  CANCELLED: { RETRIED: 'QUEUED' },
  READY: {},
} as const satisfies Record<VideoJobStatus, Partial<Record<VideoJobChange, VideoJobStatus>>>

/** Returns the states in which a change is allowed. */
export const statesBefore = (change: VideoJobChange): VideoJobStatus[] =>
  videoJobStatus.options.filter((state) => change in videoJobTransitions[state])

/** The state after each change, which is the same for all states before it. */
export const stateAfter = {
  TAKEN: 'RUNNING',
  FINISHED: 'READY',
  FAILED: 'FAILED',
  PUT_OFF: 'QUEUED',
  CANCELLED: 'CANCELLED',
  RETRIED: 'QUEUED',
} as const satisfies Record<VideoJobChange, VideoJobStatus>

/**
 * How many attempts a job has before it fails, and the delays in seconds after temporary failures.
 * A retry by an operator starts a new series.
 */
export const maxAttempts = 5
const retryDelay = [15, 60, 300, 900] as const
const longestRetryDelay = 900
/**
 * The number of an attempt within its series, from 1. Attempt numbers continue across series, so
 * that each is unique.
 */
const attemptOf = (attempts: number) => ((attempts - 1) % maxAttempts) + 1
/** The attempt number from which a new series counts. */
export const countedOnFrom = (attempts: number) => Math.ceil(attempts / maxAttempts) * maxAttempts

/** Seconds between heartbeats, and seconds of silence after which a worker loses its job. */
export const heartbeatSeconds = 1
export const lostAfterSeconds = 30

/**
 * Temporary failures: the same file may succeed later, so its source is retained for a while. Any
 * other failure is caused by the file, whose source is removed.
 */
const transientFailures = [
  'ENCODER_MISSING',
  'ENCODER_FAILED',
  'DISK_FULL',
  'STORAGE',
  'WORKER_LOST',
  'UNEXPECTED',
] as const
/** Whether a failure is temporary, so that the same file may succeed later. */
export const isTransient = (failure: string | null) => transientFailures.some((passing) => passing === failure)

const hour = 3_600_000
/** How long the source of a failed or cancelled job is retained for a retry. */
export const sourceRetentionMilliseconds = 7 * 24 * hour
/** How long files of a replaced stream are retained: longer than any signed address is valid. */
export const retiredRetentionMilliseconds = 6 * hour

/**
 * Whether the attempt's stream is live. Waits for a commit in progress whose response may have been
 * lost.
 */
export const isFinished = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  { id, videoId }: Omit<Attempt, 'attempts'>,
): Promise<boolean> => {
  await lockVideoJob(db, customer.id, id)
  return videoExists(db, customer.id, videoId)
}

/** Returns the job of a stopping worker to the queue. The attempt does not count. */
export const releaseJob = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, attempt: Attempt) => {
  await writeAttempt(db, customer.id, attempt, {
    status: stateAfter.PUT_OFF,
    step: null,
    percent: 0,
    secondsLeft: null,
    attempts: attempt.attempts - 1,
    dueAt: databaseNow,
  })
  await announceVideoJobs(db, customer.id)
}

export interface Ending {
  failure: string
  /** The message shown to operators. */
  reason: string
  /** Whether the attempt's stored files are removed; otherwise the cleanup task removes them. */
  cleaned: boolean
}

/**
 * Ends a failed attempt. Temporary failures are retried with growing delays; a refused file, or the
 * last attempt, fails the job.
 *
 * @returns the new state of the job, or null if the job no longer belongs to this attempt.
 */
export const endAttempt = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  attempt: Attempt,
  { cleaned, ...ending }: Ending,
): Promise<'QUEUED' | 'FAILED' | null> => {
  const attemptNumber = attemptOf(attempt.attempts)
  const again = isTransient(ending.failure) && ending.failure !== 'ENCODER_MISSING' && attemptNumber < maxAttempts
  const wait = ending.failure === 'WORKER_LOST' ? 0 : (retryDelay[attemptNumber - 1] ?? longestRetryDelay)
  const status = again ? stateAfter.PUT_OFF : stateAfter.FAILED
  const stillOwned = await writeAttempt(db, customer.id, attempt, {
    ...ending,
    status,
    secondsLeft: null,
    ...(again
      ? // The next attempt removes any files that this one left.
        { step: null, percent: 0, dueAt: secondsFromNow(wait) }
      : { endedAt: clock.now().toISOString(), ...(cleaned && { step: null }) }),
  })
  return stillOwned ? status : null
}

/**
 * Cancels open jobs for the same product or lesson, because the latest file wins. The product's row
 * is locked until the transaction ends, so that simultaneous requests see each other.
 */
export const supersede = async (
  { db, customer, clock }: Ctx,
  productId: ProductId,
  lessonId: LessonId | null,
  except?: string,
) => {
  await lockProduct(db, customer.id, productId)
  for (const job of await openJobsOf(db, customer.id, productId, lessonId))
    if (job.id !== except)
      await setVideoJob(db, customer.id, job.id, {
        status: stateAfter.CANCELLED,
        failure: 'SUPERSEDED',
        reason: 'Another file was given for it.',
        secondsLeft: null,
        endedAt: clock.now().toISOString(),
      })
}

/** Why a job cannot be retried, as a text for operators; null where it can. */
export const retryRefusalOf = (
  { status, failure: code, reason, endedAt, createdAt }: NamedVideoJob,
  now: Date,
): Message | null => {
  if (!statesBefore('RETRIED').includes(status))
    return (i18n) => i18n._('Only a failed or canceled job can be retried.')
  if (status === stateAfter.FAILED && !isTransient(code))
    return (i18n) => i18n._('The file was rejected: {reason} Upload another file.', { reason: reason ?? code })
  return now.getTime() - Date.parse(endedAt ?? createdAt) > sourceRetentionMilliseconds
    ? (i18n: I18n) => i18n._('The file was deleted a week after the job had ended. Upload it again.')
    : null
}

/** A job as operators see it at a time. */
export const viewJob = (job: NamedVideoJob, now: Date): VideoJob => ({
  id: job.id,
  productCode: job.productCode,
  productTitle: job.productTitle,
  lesson: job.lesson,
  videoId: job.status === stateAfter.FINISHED ? job.videoId : null,
  file: { name: job.sourceName, bytes: job.sourceBytes },
  status: job.status,
  step: job.status === 'RUNNING' ? job.step : null,
  percent: Math.round(job.percent * 10) / 10,
  secondsLeft: job.secondsLeft,
  why: job.failure === null ? null : { code: job.failure, sentence: job.reason ?? job.failure },
  canRetry: retryRefusalOf(job, now) === null,
  by: job.actor,
  attempts: job.status === 'QUEUED' ? job.attempts % maxAttempts : attemptOf(job.attempts),
  createdAt: job.createdAt,
  startedAt: job.startedAt,
  endedAt: job.endedAt,
})

/** Returns a page of video jobs as operators see them. */
export const listJobs = async ({ db, customer, clock }: Ctx, options: JobFilter): Promise<Page<VideoJob>> => {
  const { items, total } = await readVideoJobs(db, customer.id, options)
  return { items: items.map((job) => viewJob(job, clock.now())), total, page: options.page, size: options.size }
}

/** Returns a job as operators see it. Fails with NOT_FOUND. */
export const showJob = async ({ db, customer, clock }: Ctx, id: VideoJobId): Promise<VideoJob | Failure> => {
  const job = await findVideoJob(db, customer.id, id)
  return job ? viewJob(job, clock.now()) : failure('NOT_FOUND', { errors: { id: ['Job not found in this store.'] } })
}
