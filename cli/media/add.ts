import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Deps } from '#api/deps.ts'
import type { PaymentCtx } from '#api/modules/billing/payment-states.ts'
import { freeDiskSpace } from '#api/modules/media/disk-space.ts'
import { areEncodersRunning, openEncoders } from '#api/modules/media/encoding/encoders.ts'
import { findPrograms } from '#api/modules/media/package/programs.ts'
import { EncoderMissing } from '#api/modules/media/package/refusals.ts'
import { addVideoFiles, type TrackFile, type VideoInput, type VideoIntakeCtx } from '#api/modules/media/video-files.ts'
import { showJob } from '#api/modules/media/video-job-states.ts'
import { cancelJob } from '#api/modules/media/video-jobs.ts'
import { findTarget, readChapters } from '#api/modules/media/videos.ts'
import type { Customer } from '#api/platform/context.ts'
import { type Failure, failure, isFailure } from '#api/platform/context.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { VideoJobId } from '#contract/ids.ts'
import type { VideoJob } from '#contract/media.ts'
import { actorOf, type StoreOptions } from '../platform/open.ts'
import { targetOf } from './describe-job.ts'
import { watchJobs } from './watch.ts'

export interface AddOptions extends StoreOptions {
  product: string
  lesson?: number
  caption: TrackFile[]
  audio: TrackFile[]
  chapters?: string
  language?: string
  preview?: number
  previewStart?: number
  poster?: number
  keepSource?: boolean
  wait: boolean
}

const chaptersIn = async (path: string) => {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null
    ? failure('VALIDATION_FAILED', { errors: { chapters: [`${path} does not exist.`] } })
    : readChapters(text)
}

/** Several files become consecutive lessons of the product, from the named one on. */
const lessonOf = ({ lesson }: AddOptions, files: readonly string[], at: number) =>
  files.length > 1 ? (lesson ?? 1) + at : lesson

const inputOf = async (
  ctx: PaymentCtx,
  files: readonly string[],
  options: AddOptions,
): Promise<VideoInput[] | Failure> => {
  const chapters = options.chapters === undefined ? [] : await chaptersIn(options.chapters)
  if (isFailure(chapters)) return chapters
  if (files.length > 1 && (options.caption.length > 0 || options.audio.length > 0 || chapters.length > 0))
    return failure('VALIDATION_FAILED', {
      errors: {
        file: ['Captions, audio tracks and chapters apply to one film. Add films with such files one at a time.'],
      },
    })
  const inputs: VideoInput[] = []
  for (const [at, path] of files.entries()) {
    const target = await ctx.inTransaction((tx) =>
      findTarget(tx, { product: options.product, lesson: lessonOf(options, files, at) }),
    )
    if (isFailure(target)) return target
    const { productId, lessonId } = target
    inputs.push({
      productId,
      lessonId,
      path: resolve(path),
      captions: options.caption,
      audio: options.audio,
      chapters,
      ...(options.language !== undefined && { language: options.language }),
      ...(options.preview !== undefined && { previewSeconds: options.preview }),
      ...(options.previewStart !== undefined && { previewStartSeconds: options.previewStart }),
      ...(options.poster !== undefined && { poster: options.poster }),
      ...(options.keepSource && { keepSource: true }),
    })
  }
  return inputs
}

/** Fails early without ffmpeg, where this command would encode. */
const requireEncoder = async ({ video }: Deps) => {
  try {
    await findPrograms(video.ffmpegPath ?? undefined)
  } catch (error) {
    if (error instanceof EncoderMissing) throw new OperatorError(error.message)
    throw error
  }
}

/**
 * Adds files to a product and waits until their streams are ready. A running service encodes them,
 * else this command does.
 */
export const addVideos = async (
  ctx: PaymentCtx,
  deps: Deps,
  files: readonly string[],
  options: AddOptions,
): Promise<VideoJob[] | null | Failure> => {
  const others = await areEncodersRunning(deps)
  if (!others && options.wait) await requireEncoder(deps)
  const inputs = await inputOf(ctx, files, options)
  if (isFailure(inputs)) return inputs
  const intake: VideoIntakeCtx = {
    ...ctx,
    sources: deps.sources,
    dataFolder: deps.dataFolder,
    freeSpace: () => freeDiskSpace(deps),
  }
  const ids: VideoJobId[] = []
  for (const video of inputs) {
    const added = await addVideoFiles(intake, actorOf(options), video)
    if (isFailure(added)) return added
    ids.push(added.id)
  }
  const read = async () => {
    const jobs = await ctx.inTransaction((tx) => Promise.all(ids.map((id) => showJob(tx, id))))
    return jobs.filter((job): job is VideoJob => !isFailure(job))
  }
  if (!options.wait) {
    const when = others ? 'The service encodes the video now' : 'The service encodes the video when it runs again'
    for (const job of await read()) console.log(`${job.id}  ${job.file.name} → ${targetOf(job)}`)
    console.log(`${when}. See: npm run cli -- videos -c ${options.customer}`)
    return []
  }
  return follow(ctx, deps, ids, { read, others, options })
}

const follow = async (
  ctx: PaymentCtx,
  deps: Deps,
  ids: readonly VideoJobId[],
  { read, others, options }: { read: () => Promise<VideoJob[]>; others: boolean; options: AddOptions },
) => {
  const { id }: Pick<Customer, 'id'> = ctx.customer
  await using encoders = others ? null : openEncoders(deps, ids)
  if (!others) console.log('No server is running on this data, so the video is encoded here.')
  return await watchJobs({
    read,
    enqueue: () => encoders?.enqueue(id),
    continueLabel: others ? 'leave it to the service' : 'leave it until the service runs',
    cancel: async () => {
      for (const job of ids) await ctx.inTransaction((tx) => cancelJob(tx, actorOf(options), job))
    },
  })
}
