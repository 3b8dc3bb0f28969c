import { setTimeout as sleep } from 'node:timers/promises'
import { hasSpaceForJob } from '#api/modules/media/disk-space.ts'
import { type PackagedVideo, packageVideo } from '#api/modules/media/package/package-video.ts'
import { EncoderFailed, EncoderMissing, VideoRefused } from '#api/modules/media/package/refusals.ts'
import { makePoster } from '#api/modules/media/pictures.ts'
import { type Ending, endAttempt, isFinished, isTransient, releaseJob } from '#api/modules/media/video-job-states.ts'
import { type Attempt, markCleaned, type VideoJobRow, writeAttempt } from '#api/modules/media/video-jobs.queries.ts'
import { finishJob } from '#api/modules/media/video-jobs.ts'
import { formatSize, spaceNeeded } from '#api/modules/media/video-sources.ts'
import {
  assetsOf,
  createHeartbeat,
  type EncodingDeps,
  type Heartbeat,
  JobLost,
  openWorkFolder,
  removeAssets,
  removeWorkFolder,
  type WorkFolder,
} from '#api/modules/media/work-folders.ts'
import type { Customer } from '#api/platform/context.ts'
import { isDatabaseUnavailable, withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import { countEncoding } from '#api/platform/telemetry/telemetry.ts'
import type { VideoId } from '#contract/ids.ts'

/** The share of the work, in percent, after encoding and packaging. The rest is storing. */
const percentPackaged = 97

class DiskFull extends Error {
  override readonly name = 'DiskFull'
}
class TargetRemoved extends Error {
  override readonly name = 'TargetRemoved'
}

/**
 * Makes the stream of a job that this worker has claimed and publishes it. A failed attempt leaves
 * no files on this machine or in the storage; recovery removes the files of a killed process.
 */
export const makeStream = async (deps: EncodingDeps, customer: Customer, job: VideoJobRow, stopping: AbortSignal) => {
  const attempt = await newAttempt(deps, customer, job).catch((error: unknown) =>
    failJob(deps, customer, job, job, error, stopping.aborted),
  )
  if (!attempt) return
  await using heartbeat = createHeartbeat(deps, customer, attempt, stopping)
  try {
    const stored = await store(
      deps,
      job,
      attempt,
      heartbeat,
      await openWorkFolder(deps.dataFolder, customer.id, attempt),
    )
    const done = await publish(deps, customer, attempt, stored, heartbeat.signal)
    if (done === 'NOT_OURS') throw new JobLost('The job was cancelled or taken over')
    if (done === 'TARGET_GONE') throw new TargetRemoved('The product or lesson it is for has been deleted meanwhile.')
  } catch (error) {
    await heartbeat[Symbol.asyncDispose]()
    // Runs before the job can be claimed again.
    await removeWorkFolder(deps.dataFolder, attempt)
    return failJob(deps, customer, job, attempt, error, stopping.aborted)
  }
  await heartbeat[Symbol.asyncDispose]()
  countEncoding('DONE')
  await finishAttempt(deps, customer, job, attempt)
}

/** Milliseconds in which publishing is repeated: longer than an import may hold its store. */
const publishFor = 20 * 60_000
/** Milliseconds before a repetition: each wait is twice the one before it, up to the last. */
const publishDelays = { first: 1_000, last: 30_000 }

/**
 * Publishes a finished stream. It is repeated while the database does not answer in time, for
 * example while an import holds the store: the encoding, which takes hours, is not lost.
 */
const publish = async (
  deps: EncodingDeps,
  customer: Customer,
  attempt: Attempt,
  stored: Parameters<typeof finishJob>[2],
  signal: AbortSignal,
): ReturnType<typeof finishJob> => {
  const until = performance.now() + publishFor
  for (let delay = publishDelays.first; ; delay = Math.min(delay * 2, publishDelays.last)) {
    try {
      return await withTenant(deps.pool, customer.id, (db) =>
        finishJob({ db, customer, clock: deps.clock }, attempt, stored),
      )
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > until) throw error
      deps.log.warn({ err: error, customer: customer.code, job: attempt.id }, 'A finished video is published later')
      await sleep(delay, undefined, { signal })
    }
  }
}

/**
 * Removes what an earlier attempt stored, then assigns a new video id to the attempt.
 *
 * @returns null if the job no longer belongs to this worker.
 */
const newAttempt = async (deps: EncodingDeps, customer: Customer, job: VideoJobRow): Promise<Attempt | null> => {
  const { id, attempts, videoId } = job
  await removeAssets(deps, videoId)
  const fresh = newId<VideoId>()
  const stillOwned = await withTenant(deps.pool, customer.id, (db) =>
    writeAttempt(db, customer.id, { id, attempts, videoId }, { videoId: fresh }),
  )
  return stillOwned ? { id, attempts, videoId: fresh } : null
}

const store = async (deps: EncodingDeps, job: VideoJobRow, attempt: Attempt, heartbeat: Heartbeat, at: WorkFolder) => {
  const { sources, storage } = deps
  const [available, needed] = [await hasSpaceForJob(deps, job.id), spaceNeeded(job.sourceBytes, { toCopy: false })]
  if (available < needed)
    throw new DiskFull(
      `Not enough disk space: ${job.sourceName} needs about ${formatSize(needed)}, and ${formatSize(available)} are available.`,
    )
  const withPath = <Track extends { key: string }>({ key, ...track }: Track) => ({
    ...track,
    path: sources.pathOf(key),
  })
  const { captions, audio, poster, keepSource: _keepSource, ...options } = job.options
  const { signal } = heartbeat
  const packaged = await packageVideo({
    source: sources.pathOf(job.sourceKey),
    name: job.sourceName,
    folder: at.asset,
    previewFolder: at.preview,
    postersFolder: at.posters,
    workFolder: at.work,
    options: { ...options, captions: captions.map(withPath), audio: audio.map(withPath) },
    ...(deps.video.ffmpegPath !== null && { program: deps.video.ffmpegPath }),
    signal,
    onProgress: ({ step, percent, secondsLeft }) =>
      heartbeat.report({ step, percent: (percent / 100) * percentPackaged, secondsLeft }),
  })
  heartbeat.report({ step: 'STORE', percent: percentPackaged, secondsLeft: null })
  await heartbeat.send()
  const keys = assetsOf(attempt.videoId)
  await storage.putFolder(keys.asset, at.asset, { signal })
  if (packaged.previewSeconds !== null) await storage.putFolder(keys.preview, at.preview, { signal })
  await storage.putFolder(keys.posters, at.posters, { signal })
  const chosen = poster === undefined ? undefined : packaged.posters[poster - 1]
  const picture = chosen ? await makePoster(storage, `${keys.posters}/${chosen}`) : null
  const shortfall = poster === undefined || picture ? null : noSuchPoster(poster, packaged.posters.length)
  await heartbeat.send()
  return { ...streamOf(packaged, keys), poster: picture, shortfall }
}

const noSuchPoster = (position: number, count: number) => ({
  failure: 'NO_SUCH_POSTER',
  reason: `The poster was not changed: the film has ${count} poster frames and no frame ${position}. Choose a number from 1 to ${count}.`,
})

const streamOf = (packaged: PackagedVideo, { asset, preview, posters }: ReturnType<typeof assetsOf>) => {
  const { durationSeconds, width, height, bytes, captions, audio, chapters, storyboard, cues } = packaged
  const { previewSeconds, previewStartSeconds } = packaged
  return {
    asset,
    durationSeconds,
    width,
    height,
    bytes,
    captions,
    audio,
    chapters,
    storyboard,
    cues,
    previewAsset: previewSeconds === null ? null : preview,
    previewStartSeconds,
    previewSeconds: previewSeconds === null ? null : Math.round(previewSeconds),
    posterCandidates: packaged.posters.map((name) => `${posters}/${name}`),
  }
}

const removeSources = async ({ sources }: EncodingDeps, { sourceKey, options }: VideoJobRow) => {
  for (const key of [sourceKey, ...[...options.captions, ...options.audio].map((track) => track.key)])
    await sources.remove(key)
}

/** The stream is live, so a failed cleanup does not fail the job. The cleanup task retries it. */
const finishAttempt = async (
  deps: EncodingDeps,
  customer: Customer,
  job: VideoJobRow,
  attempt: Attempt,
): Promise<undefined> => {
  try {
    await removeWorkFolder(deps.dataFolder, attempt)
    if (!job.options.keepSource) await removeSources(deps, job)
  } catch (error) {
    deps.log.warn(
      { err: error, customer: customer.code, job: job.id },
      'The temporary files of a finished video could not be deleted',
    )
  }
}

/** Removes everything the attempt stored and records the reason for the failure. */
const failJob = async (
  deps: EncodingDeps,
  customer: Customer,
  job: VideoJobRow,
  attempt: Attempt,
  error: unknown,
  stopping: boolean,
): Promise<undefined> => {
  const ctxOf = (db: Parameters<Parameters<typeof withTenant>[2]>[0]) => ({ db, customer, clock: deps.clock })
  const inTransaction = <Answer>(work: (ctx: ReturnType<typeof ctxOf>) => Promise<Answer>) =>
    withTenant(deps.pool, customer.id, (db) => work(ctxOf(db)))
  // The transaction may have committed although its response was lost. Until that is known, nothing
  // is removed.
  const finished = await inTransaction((ctx) => isFinished(ctx, attempt)).catch(() => null)
  if (finished) return finishAttempt(deps, customer, job, attempt)
  const cleaned =
    finished === false &&
    (await removeAssets(deps, attempt.videoId).then(
      () => true,
      () => false,
    ))
  if (error instanceof JobLost) {
    // A later attempt stores its files under its own video id, so this removal is safe.
    if (cleaned) await inTransaction(({ db }) => markCleaned(db, customer.id, attempt))
    return
  }
  if (stopping) {
    await inTransaction((ctx) => releaseJob(ctx, attempt))
    // The job may have been cancelled in the same second.
    if (cleaned) await inTransaction(({ db }) => markCleaned(db, customer.id, attempt))
    return
  }
  const ending = endingOf(error, cleaned)
  countEncoding(ending.failure)
  if (!(error instanceof VideoRefused || error instanceof EncoderMissing))
    deps.log.error({ err: error, customer: customer.code, job: job.id }, 'A video could not be encoded')
  const ended = await inTransaction((ctx) => endAttempt(ctx, attempt, ending))
  // A cancelled or reassigned job still needs its sources.
  if (ended !== null && !isTransient(ending.failure)) await removeSources(deps, job)
}

/** Maps an error to its failure code and the message shown to operators. */
const endingOf = (error: unknown, cleaned: boolean): Ending => {
  const of = (failure: string, reason: string): Ending => ({ failure, reason, cleaned })
  if (error instanceof VideoRefused) return of(error.code, error.message)
  if (error instanceof EncoderMissing) return of('ENCODER_MISSING', error.message)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof TargetRemoved) return of('TARGET_GONE', message)
  if (error instanceof DiskFull) return of('DISK_FULL', message)
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  if (isFull || /no space left/i.test(message))
    return of('DISK_FULL', 'The disk became full during encoding. The job is retried automatically.')
  if (error instanceof EncoderFailed)
    return of('ENCODER_FAILED', `The encoder failed: ${message.trim().split('\n').at(-1)?.slice(0, 300)}`)
  if (error instanceof StorageUnavailable) return of('STORAGE', `${message}. The job is retried automatically.`)
  return of('UNEXPECTED', `Unexpected error: ${message.slice(0, 300)}`)
}
