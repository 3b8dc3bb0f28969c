import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import type { LessonId, ProductId, VideoJobId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import type { VideoJob } from '#contract/videos.ts'
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

export type VideoJobStatus = VideoJob['status']

const videoJobStatuses = ['QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED'] as const satisfies VideoJobStatus[]

export type VideoJobChange = 'TAKEN' | 'FINISHED' | 'FAILED' | 'PUT_OFF' | 'CANCELLED' | 'RETRIED'

/** Every transition a video's job may take. A change that is not listed for a state does not happen. */
export const videoJobTransitions = {
  QUEUED: { TAKEN: 'RUNNING', CANCELLED: 'CANCELLED' },
  // Put off: a fault that may pass, or a worker that is gone.
  RUNNING: { FINISHED: 'READY', FAILED: 'FAILED', PUT_OFF: 'QUEUED', CANCELLED: 'CANCELLED' },
  FAILED: { RETRIED: 'QUEUED' },
  CANCELLED: { RETRIED: 'QUEUED' },
  READY: {},
} as const satisfies Record<VideoJobStatus, Partial<Record<VideoJobChange, VideoJobStatus>>>

/** The states a change may happen in. */
export const statesBefore = (change: VideoJobChange): VideoJobStatus[] =>
  videoJobStatuses.filter((state) => change in videoJobTransitions[state])

/** What a change leads to, whichever of its states it happens in. */
export const stateAfter = {
  TAKEN: 'RUNNING',
  FINISHED: 'READY',
  FAILED: 'FAILED',
  PUT_OFF: 'QUEUED',
  CANCELLED: 'CANCELLED',
  RETRIED: 'QUEUED',
} as const satisfies Record<VideoJobChange, VideoJobStatus>

/**
 * How often a file is begun before it is given up, each time it is asked for; and how long is waited after each fault that may pass,
 * in seconds.
 */
export const maxAttempts = 5
export const retryDelay = [15, 60, 300, 900] as const
const longestRetryDelay = 900
/** Which of those an attempt is, from 1. Attempts are counted on when a job is asked for again, so that no two have one number. */
export const turnOf = (attempts: number) => ((attempts - 1) % maxAttempts) + 1
/** What the attempts of a job that is asked for again are counted on from. */
export const countedOnFrom = (attempts: number) => Math.ceil(attempts / maxAttempts) * maxAttempts

/** A worker says that often that it is alive; one that has not for so long has lost its job to others. Seconds. */
export const heartbeatSeconds = 1
export const lostAfterSeconds = 30

/**
 * Faults of the surroundings: the same file may succeed another time, so its source is kept for a while. Every other failure is the
 * file's own, and its source is not kept.
 */
export const passingFailures = [
  'ENCODER_MISSING',
  'ENCODER_FAILED',
  'DISK_FULL',
  'STORAGE',
  'WORKER_LOST',
  'UNEXPECTED',
] as const
export type PassingFailure = (typeof passingFailures)[number]
export const isPassing = (failure: string | null) => passingFailures.some((passing) => passing === failure)

const hour = 3_600_000
/** How long the source of a failed or cancelled job waits for another try. */
export const sourceRetentionMilliseconds = 7 * 24 * hour
/** How long an exchanged stream's files stay: longer than any address of them was made for. */
export const retiredRetentionMilliseconds = 6 * hour

/** Whether an attempt's stream is what people get. A switch under way, whose answer may have been lost, is waited for. */
export const isFinished = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  { id, videoId }: Omit<Attempt, 'attempts'>,
): Promise<boolean> => {
  await lockVideoJob(db, customer.id, id)
  return videoExists(db, customer.id, videoId)
}

/** A worker that is told to stop gives its job back, and the attempt is not counted. */
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
  /** What the operator reads. */
  reason: string
  /** What the attempt had stored is gone; otherwise the tidying takes it away. */
  cleaned: boolean
}

/**
 * An attempt has come to nothing. What may pass is tried again later and later; a file that was refused, and one that was tried often
 * enough, has failed. Answers what became of the job; null when it was this attempt's no more.
 */
export const endAttempt = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  attempt: Attempt,
  { cleaned, ...ending }: Ending,
): Promise<'QUEUED' | 'FAILED' | null> => {
  const turn = turnOf(attempt.attempts)
  const again = isPassing(ending.failure) && ending.failure !== 'ENCODER_MISSING' && turn < maxAttempts
  const wait = ending.failure === 'WORKER_LOST' ? 0 : (retryDelay[turn - 1] ?? longestRetryDelay)
  const status = again ? stateAfter.PUT_OFF : stateAfter.FAILED
  const held = await writeAttempt(db, customer.id, attempt, {
    ...ending,
    status,
    secondsLeft: null,
    ...(again
      ? // Whoever begins it next takes away what this one may have left.
        { step: null, percent: 0, dueAt: secondsFromNow(wait) }
      : { endedAt: clock.now().toISOString(), ...(cleaned && { step: null }) }),
  })
  return held ? status : null
}

/**
 * Ends what is still open for the same product or lesson: the file given last is the one that counts. The product's row is held until
 * the transaction ends, so that files given at the same moment see each other.
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

/** A job as operators see it. */
export const viewJob = (job: NamedVideoJob): VideoJob => ({
  id: job.id,
  productCode: job.productCode,
  lesson: job.lesson,
  file: { name: job.sourceName, bytes: job.sourceBytes },
  status: job.status,
  step: job.status === 'RUNNING' ? job.step : null,
  percent: Math.round(job.percent * 10) / 10,
  secondsLeft: job.secondsLeft,
  why: job.failure === null ? null : { code: job.failure, sentence: job.reason ?? job.failure },
  attempts: job.status === 'QUEUED' ? job.attempts % maxAttempts : turnOf(job.attempts),
  createdAt: job.createdAt,
  startedAt: job.startedAt,
  endedAt: job.endedAt,
})

export const listJobs = async ({ db, customer }: Ctx, options: JobFilter): Promise<Page<VideoJob>> => {
  const { items, total } = await readVideoJobs(db, customer.id, options)
  return { items: items.map(viewJob), total, page: options.page, size: options.size }
}

export const showJob = async ({ db, customer }: Ctx, id: VideoJobId): Promise<VideoJob | Failure> => {
  const job = await findVideoJob(db, customer.id, id)
  return job ? viewJob(job) : failure('NOT_FOUND', { errors: { id: ['Job not found in this store.'] } })
}
