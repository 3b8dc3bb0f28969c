import { text } from 'node:stream/consumers'
import { type CaptionCues, saveCaptionCues } from '#api/modules/catalog/captions.ts'
import type { CaptionTrack, videos } from '#api/modules/catalog/catalog.schema.ts'
import { attachmentsOf, findVideo, lessonsOf, readStoredProduct } from '#api/modules/catalog/playables.queries.ts'
import { deriveProducts, reasonToKeepContent } from '#api/modules/catalog/products.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { messageIn, messagesOf } from '#api/platform/i18n/messages.ts'
import { type MediaStorage, mediaKey } from '#api/platform/storage/storage.ts'
import { CaptionsInvalid, type MarkedCue, parseCaptions } from '#contract/captions.ts'
import type { LessonId, ProductCode, ProductId, VideoId, VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import type { Picture } from '#contract/picture.ts'
import {
  countedOnFrom,
  endAttempt,
  lostAfterSeconds,
  maxAttempts,
  retryRefusalOf,
  showJob,
  stateAfter,
  statesBefore,
  supersede,
  viewJob,
} from './video-job-states.ts'
import {
  type Attempt,
  announceVideoJobs,
  claimLostJobs,
  databaseNow,
  findVideoJob,
  hasDueJobs,
  listJobsToCleanUp,
  lockVideoJob,
  type NamedVideoJob,
  setVideoJob,
  type VideoJobRow,
} from './video-jobs.queries.ts'
import {
  insertVideo,
  isVideoShown,
  lockTargetVideo,
  lockVideo,
  type NamedVideoTarget,
  setPoster,
  setTargetVideo,
  updateVideo,
} from './videos.queries.ts'

/**
 * Retires a video that nothing shows any more. A replaced video plays on for current viewers until
 * its files are removed (`from` names its product or lesson); a removed video (`from` null) closes
 * at once.
 */
export const retireVideo = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  id: VideoId,
  from: ProductId | LessonId | null,
) => {
  // Another product may begin to show it at this moment.
  await lockVideo(db, customer.id, id)
  if (await isVideoShown(db, customer.id, id)) return
  await updateVideo(db, customer.id, id, { retiredAt: clock.now().toISOString(), retiredFrom: from })
  await saveCaptionCues(db, customer.id, id, [])
}

/** The file of captions below a stream or its preview. */
export const captionsKey = (asset: string, { language, file = language }: CaptionTrack) =>
  mediaKey(`${asset}/captions/${file}.vtt`)

/** Reads a stored file as text; null if there is none. */
export const readText = async (storage: Pick<MediaStorage, 'open'>, key: string): Promise<string | null> => {
  const content = await (await storage.open(mediaKey(key)))?.read()
  return content ? text(content) : null
}

/** Reads stored captions. None if the file is missing, or if only players can read it. */
export const readCues = async (storage: MediaStorage, asset: string, track: CaptionTrack): Promise<MarkedCue[]> => {
  const stored = await readText(storage, captionsKey(asset, track))
  try {
    return stored === null ? [] : parseCaptions(Buffer.from(stored), track.language)
  } catch (error) {
    if (error instanceof CaptionsInvalid) return []
    throw error
  }
}

/** Brings a retired video back, with its captions for the search. The transaction shows it. */
export const restoreVideo = async (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  storage: MediaStorage,
  id: VideoId,
) => {
  const locked = await lockVideo(db, customer.id, id)
  const video = locked?.retiredAt && (await findVideo(db, customer.id, id))
  if (!video) return
  const tracks: CaptionCues[] = []
  for (const track of video.captions)
    tracks.push({ language: track.language, cues: await readCues(storage, video.asset, track) })
  await updateVideo(db, customer.id, id, { retiredAt: null, retiredFrom: null })
  await saveCaptionCues(db, customer.id, id, tracks)
}

/** A complete, stored stream. */
export interface WholeStream extends Omit<typeof videos.$inferInsert, 'customerId' | 'id'> {
  cues: readonly CaptionCues[]
  /** The product's new poster; null leaves the current one. */
  poster: Picture | null
  /** An option that could not be applied although the stream is complete. */
  shortfall: { failure: string; reason: string } | null
}

/**
 * Publishes a stream in one transaction: the product or lesson gets the stream, its duration and
 * captions, and the old video is retired. Nothing changes if the job no longer belongs to this
 * attempt or its target no longer exists.
 */
export const finishJob = async (
  ctx: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  attempt: Attempt,
  { cues, poster, shortfall, ...stream }: WholeStream,
): Promise<'FINISHED' | 'NOT_OURS' | 'TARGET_GONE'> => {
  const { db, customer, clock } = ctx
  const job = await lockVideoJob(db, customer.id, attempt.id)
  const { videoId } = attempt
  if (job?.status !== 'RUNNING' || job.attempts !== attempt.attempts || job.videoId !== videoId) return 'NOT_OURS'
  const video = { ...stream, customerId: customer.id, id: videoId, createdAt: clock.now().toISOString() }
  const { productId, lessonId } = job
  if (productId === null) await insertVideo(db, video)
  else {
    const product = await lockTargetVideo(db, customer.id, { productId, lessonId: null })
    const target = lessonId === null ? product : await lockTargetVideo(db, customer.id, { productId, lessonId })
    if (!product || !target) return 'TARGET_GONE'
    await insertVideo(db, video)
    await setTargetVideo(db, customer.id, { productId, lessonId }, videoId)
    if (poster) await setPoster(db, customer.id, productId, poster)
    const before = target.videoId
    if (before) await retireVideo(ctx, before, lessonId ?? productId)
    await deriveProducts(ctx, [productId])
  }
  await saveCaptionCues(db, customer.id, videoId, cues)
  await setVideoJob(db, customer.id, job.id, {
    status: stateAfter.FINISHED,
    step: null,
    percent: 100,
    secondsLeft: null,
    ...shortfall,
    endedAt: clock.now().toISOString(),
  })
  return 'FINISHED'
}

/** The subject of a video in the audit log. */
export const subjectOf = (productCode: ProductCode, lessonId: LessonId | null) =>
  lessonId === null ? `product:${productCode}` : `product:${productCode} lesson:${lessonId}`

/** The subject of a job in the audit log: of what it is for, or else of itself. */
export const subjectOfJob = ({
  id,
  productCode,
  lessonId,
}: Pick<NamedVideoJob, 'id' | 'productCode' | 'lessonId'>): string =>
  productCode === null ? `video-job:${id}` : subjectOf(productCode, lessonId)

/**
 * Cancels a queued job, or stops its worker within a second. Idempotent. Fails with NOT_FOUND, and
 * with CONFLICT if the job has ended otherwise.
 */
export const cancelJob = async (ctx: Ctx, by: AuditActor, id: VideoJobId): Promise<VideoJob | Failure> => {
  const { db, customer, clock } = ctx
  const job = await lockVideoJob(db, customer.id, id)
  const video = job && (await findVideoJob(db, customer.id, id))
  if (!video) return failure('NOT_FOUND', { errors: { id: ['Job not found in this store.'] } })
  const status = video.status
  if (status === stateAfter.CANCELLED) return viewJob(video, clock.now())
  const i18n = messagesOf(ctx.locale)
  if (!statesBefore('CANCELLED').includes(status))
    return failure('CONFLICT', { errors: { status: [i18n._('Only a queued or running job can be canceled.')] } })
  await setVideoJob(db, customer.id, id, {
    status: stateAfter.CANCELLED,
    failure: 'CANCELLED',
    reason: `Cancelled by ${by}.`,
    secondsLeft: null,
    endedAt: clock.now().toISOString(),
  })
  const subject = subjectOfJob(video)
  await audit(ctx, { actor: by, action: 'video.cancelled', subject, detail: { job: id } })
  return showJob(ctx, id)
}

/**
 * Restarts a cancelled job, or one that failed for a temporary reason. Fails with NOT_FOUND, and
 * with CONFLICT if the job has not ended, its file was refused, or its sources are deleted.
 */
export const retryJob = async (ctx: Ctx, by: AuditActor, id: VideoJobId): Promise<VideoJob | Failure> => {
  const { db, customer, clock } = ctx
  const job = await lockVideoJob(db, customer.id, id)
  const video = job && (await findVideoJob(db, customer.id, id))
  if (!video) return failure('NOT_FOUND', { errors: { id: ['Job not found in this store.'] } })
  const refusal = retryRefusalOf(video, clock.now())
  if (refusal) return failure('CONFLICT', { errors: { status: [messageIn(messagesOf(ctx.locale), refusal)] } })

  if (video.productId !== null) await supersede(ctx, video.productId, video.lessonId, id)
  await setVideoJob(db, customer.id, id, {
    status: stateAfter.RETRIED,
    failure: null,
    reason: null,
    step: null,
    percent: 0,
    secondsLeft: null,
    // Never reset to zero: a worker that has not noticed the end would take the new attempt for its
    // own.
    attempts: countedOnFrom(video.attempts),
    dueAt: databaseNow,
    endedAt: null,
  })
  const subject = subjectOfJob(video)
  await audit(ctx, { actor: by, action: 'video.retried', subject, detail: { job: id } })
  await announceVideoJobs(db, customer.id)
  return showJob(ctx, id)
}

type JobsCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>

/** Ends the attempt of a lost worker: requeues the job, or fails it after too many attempts. */
export const failLostAttempt = (ctx: JobsCtx, job: Pick<VideoJobRow, 'id' | 'attempts' | 'videoId'>) =>
  endAttempt(ctx, job, {
    failure: 'WORKER_LOST',
    reason: `The worker stopped during this job ${maxAttempts} times. The file may need more memory than the machine has.`,
    cleaned: false,
  })

/** Requeues the jobs of silent workers and announces due jobs. */
export const recoverJobs = async (ctx: JobsCtx) => {
  const { db, customer } = ctx
  for (const job of await claimLostJobs(db, customer.id, lostAfterSeconds)) await failLostAttempt(ctx, job)
  if (await hasDueJobs(db, customer.id)) await announceVideoJobs(db, customer.id)
}

/** Jobs that ended while a worker ran them and may have stored files left. */
export const jobsToCleanUp = ({ db, customer }: JobsCtx) => listJobsToCleanUp(db, customer.id, lostAfterSeconds)

/**
 * Removes the video of a product or lesson immediately. Its files are deleted some hours later.
 * Fails with NOT_FOUND if there is none.
 */
export const removeVideo = async (
  ctx: Ctx,
  by: AuditActor,
  { productId, productCode, lessonId }: NamedVideoTarget,
): Promise<{ removed: string } | Failure> => {
  const { db, customer } = ctx
  const target = await lockTargetVideo(db, customer.id, { productId, lessonId })
  await supersede(ctx, productId, lessonId)
  if (!target?.videoId) return failure('NOT_FOUND', { errors: { product: [`${productCode} has no video to remove.`] } })
  await setTargetVideo(db, customer.id, { productId, lessonId }, null)
  await retireVideo(ctx, target.videoId, null)
  await deriveProducts(ctx, [productId])
  const subject = subjectOf(productCode, lessonId)
  const changes = changesOf({ video: target.videoId }, {})
  await audit(ctx, { actor: by, action: 'video.removed', subject, changes, detail: { video: target.videoId } })
  return { removed: target.videoId }
}

/**
 * Removes the own video of a product immediately, as `removeVideo` does, unless visitors or buyers
 * would have nothing left. Failures: NOT_FOUND without a video, CONFLICT with the reason.
 */
export const removeProductVideo = async (ctx: Ctx, by: AuditActor, code: ProductCode): Promise<Failure | undefined> => {
  const { db, customer } = ctx
  const stored = await readStoredProduct(db, customer.id, code, { lock: true })
  if (!stored?.product.videoId) return failure('NOT_FOUND')
  const { id } = stored.product
  const [lessons, files] = [await lessonsOf(db, customer.id, id), await attachmentsOf(db, customer.id, id)]
  const reason = lessons.length + files.length > 0 ? null : await reasonToKeepContent(ctx, stored.product)
  if (reason) return failure('CONFLICT', { errors: { code: [reason] } })
  const removed = await removeVideo(ctx, by, { productId: id, productCode: code, lessonId: null })
  return isFailure(removed) ? failure('NOT_FOUND') : undefined
}
