import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { manifestOf } from '#api/modules/catalog/playables.queries.ts'
import { firstManifest } from '#api/modules/catalog/products.queries.ts'
import { type AuditActor, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type DetachedCtx, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { type MediaKey, type MediaStorage, mediaKey, parseMediaKey } from '#api/platform/storage/storage.ts'
import type { VideoId, VideoJobId } from '#contract/ids.ts'
import { type DiskSpaceDeps, freeDiskSpace } from './disk-space.ts'
import type { Captions } from './package/chapters.ts'
import { cutPreview } from './package/package-video.ts'
import { VideoRefused } from './package/refusals.ts'
import { findJobOfVideo, setVideoJob } from './video-jobs.queries.ts'
import { readCues } from './video-jobs.ts'
import { auditShown, lockShown, previewOf, type ShownVideo, viewVideo } from './video-library.ts'
import { formatSize } from './video-sources.ts'
import { deleteVideoRow, insertVideo, updateVideo } from './videos.queries.ts'
import { isOwnPreview, newPreviewKey, openWorkFolder, previewTimeout, removeWorkFolder } from './work-folders.ts'

interface PreviewInput {
  id: VideoId
  startSeconds: number
  /** 0 for no preview. */
  seconds: number
  expected: string | null
}

interface PreviewDeps extends DiskSpaceDeps {
  storage: MediaStorage
}

/**
 * Has the files of a preview deleted as those of a replaced video are, some hours later, unless the
 * row is deleted before. Its size is that of a video without a stream, which nothing can show.
 */
const retirePreview = async ({ db, customer, clock }: Ctx, preview: string) => {
  const id = newId<VideoId>()
  const files = { asset: preview, previewAsset: preview, durationSeconds: 0, bytes: 0 }
  await insertVideo(db, { customerId: customer.id, id, ...files, retiredAt: clock.now().toISOString() })
  return id
}

/** Bytes of one second in all sizes and languages: of the preview, and of what it is cut from. */
const bytesPerSecond = 2 * 400e3
const bytesAtLeast = 50e6

interface NewPreview {
  video: ShownVideo['video']
  key: MediaKey
  captions: readonly Captions[]
  startSeconds: number
  seconds: number
}

/**
 * Cuts a preview in a folder of this machine and stores it. `onCut` runs before the first file is
 * stored.
 */
const storePreview = async (
  { customer }: Pick<DetachedCtx, 'customer'>,
  { storage, dataFolder }: PreviewDeps,
  { video, key, captions, startSeconds, seconds }: NewPreview,
  onCut: () => Promise<unknown>,
) => {
  const signal = AbortSignal.timeout(previewTimeout)
  const attempt = { id: newId<VideoJobId>(), attempts: 0, videoId: newId<VideoId>() }
  const read = async (file: string) => {
    const path = parseMediaKey(`${video.asset}/${file}`)
    const content = path && (await (await storage.open(path))?.read())
    return content ? buffer(content) : null
  }
  try {
    const { preview: folder, work: workFolder } = await openWorkFolder(dataFolder, customer.id, attempt)
    const options = { previewSeconds: seconds, previewStartSeconds: startSeconds }
    const cut = await cutPreview({ read, options, captions, folder, workFolder, signal })
    const manifest = manifestOf(video)
    if (manifest !== firstManifest) await copyFile(join(folder, firstManifest), join(folder, manifest))
    await onCut()
    await storage.putFolder(key, folder, { signal })
    return cut
  } finally {
    await removeWorkFolder(dataFolder, attempt)
  }
}

/** Cuts and stores another preview. Failures: CONFLICT, and VALIDATION_FAILED for a full disk. */
const makePreview = async (ctx: DetachedCtx, deps: PreviewDeps, { video }: ShownVideo, input: PreviewInput) => {
  const { startSeconds, seconds } = input
  const i18n = messagesOf(ctx.locale)
  const [available, needed] = [await freeDiskSpace(deps), seconds * bytesPerSecond + bytesAtLeast]
  if (available < needed) {
    const sizes = { needed: formatSize(needed), available: formatSize(available) }
    const text = i18n._('Not enough disk space: about {needed} are needed, and {available} are available.', sizes)
    return invalidField('seconds', text)
  }
  const captions = []
  for (const track of video.captions)
    captions.push({ ...track, cues: await readCues(deps.storage, video.asset, track) })
  const key = newPreviewKey(video.id)
  let pending: VideoId | undefined
  try {
    const cut = await storePreview(ctx, deps, { video, key, captions, startSeconds, seconds }, async () => {
      // If the video does not get the preview, its files are deleted.
      pending = await ctx.inTransaction((tx) => retirePreview(tx, key))
    })
    return { ...cut, key, pending }
  } catch (error) {
    if (!(error instanceof VideoRefused)) throw error
    ctx.log.warn({ err: error, customer: ctx.customer.code, video: video.id }, 'A preview could not be cut')
    const text = i18n._('This video is encrypted or was not encoded here. Upload it again for another preview.')
    return failure('CONFLICT', { errors: { id: [text] } })
  }
}

/** The bytes of stored files. */
const bytesBelow = async (storage: MediaStorage, prefix: MediaKey) => {
  let bytes = 0
  for await (const entry of storage.list(prefix)) bytes += entry.bytes
  return bytes
}

/**
 * Sets which part of a video anyone may watch. It is cut from the stored stream, without encoding.
 * The files of the former preview are deleted later. `expected` is the value of `If-Match`.
 * Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED, CONFLICT.
 */
export const setPreview = async (ctx: DetachedCtx, by: AuditActor, deps: PreviewDeps, input: PreviewInput) => {
  const { id, startSeconds, seconds, expected } = input
  const { inTransaction } = ctx
  const before = await inTransaction(async (tx) => {
    const shown = await lockShown(tx, id, expected)
    return isFailure(shown) ? shown : { shown, present: await previewOf(tx, shown) }
  })
  if (isFailure(before)) return before
  const { shown, present } = before
  const { previewAsset: former, durationSeconds } = shown.video
  if (seconds > 0 && startSeconds >= durationSeconds) {
    const i18n = messagesOf(ctx.locale)
    const text = i18n._('The preview must start before the end of the video ({seconds} s).', {
      seconds: durationSeconds,
    })
    return invalidField('startSeconds', text)
  }
  if (seconds === (present?.seconds ?? 0) && startSeconds === (present?.startSeconds ?? startSeconds))
    return inTransaction((tx) => viewVideo(tx, id))

  const made = seconds === 0 ? null : await makePreview(ctx, deps, shown, input)
  if (isFailure(made)) return made
  const ownFormer = former !== null && isOwnPreview(id, former) ? mediaKey(former) : null
  const formerBytes = ownFormer ? await bytesBelow(deps.storage, ownFormer) : 0
  return inTransaction(async (tx) => {
    const { db, customer } = tx
    const current = await lockShown(tx, id, expected)
    if (isFailure(current)) return current
    const { bytes } = current.video
    await updateVideo(db, customer.id, id, {
      previewAsset: made?.key ?? null,
      previewStartSeconds: made?.startSeconds ?? null,
      previewSeconds: made && Math.round(made.seconds),
      ...(bytes && { bytes: Math.max(1, bytes - formerBytes + (made?.bytes ?? 0)) }),
    })
    if (made?.pending) await deleteVideoRow(db, customer.id, made.pending)
    if (ownFormer) await retirePreview(tx, ownFormer)
    // An export of the catalogue has the preview as it is.
    const job = await findJobOfVideo(db, customer.id, id)
    const options = { previewSeconds: seconds, previewStartSeconds: startSeconds }
    if (job) await setVideoJob(db, customer.id, job.id, { options: { ...job.options, ...options } })
    const valuesOf = (range: typeof present) => {
      return { previewStartSeconds: range?.startSeconds, previewSeconds: range && Math.round(range.seconds) }
    }
    await auditShown(tx, current, {
      actor: by,
      action: 'video.preview-changed',
      changes: changesOf<object>(valuesOf(present), valuesOf(made)),
      detail: { video: id },
    })
    return viewVideo(tx, id)
  })
}
