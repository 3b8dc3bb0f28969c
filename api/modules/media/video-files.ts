import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { languageLabel } from '#api/modules/media/package/refusals.ts'
import type { AuditActor } from '#api/platform/audit.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { hashOfFile } from '#api/platform/storage/disk-storage.ts'
import type { LessonId, ProductId, UploadId, VideoJobId } from '#contract/ids.ts'
import type { VideoOrder } from '#contract/media.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { type DiskSpaceDeps, freeDiskSpace } from './disk-space.ts'
import type { VideoOptions } from './media.schema.ts'
import { finishUpload, nameOf, readFinished, readWhole, uploadFolder } from './uploads.ts'
import { jobsOfSources } from './video-jobs.queries.ts'
import { formatSize, SourceStillChanging, type StoredSource, spaceNeeded, type VideoSources } from './video-sources.ts'
import { lockUploads } from './videos.queries.ts'
import { addVideo, checkVideoOptions, findTarget } from './videos.ts'

/** A caption or audio file on this machine. */
export interface TrackFile {
  language: string
  label: string
  path: string
}

export interface VideoInput extends Omit<VideoOptions, 'captions' | 'audio' | 'chapters'> {
  productId: ProductId
  lessonId: LessonId | null
  /** The path of the film on this machine. The file is not moved. */
  path: string
  /** The file name, if it differs from the path. */
  name?: string
  captions?: readonly TrackFile[]
  audio?: readonly TrackFile[]
  chapters?: VideoOptions['chapters']
}

export interface VideoIntakeCtx {
  customer: Pick<Ctx['customer'], 'id'>
  sources: VideoSources
  dataFolder: string
  /** Returns the bytes below the data folder that are not reserved. */
  freeSpace: () => Promise<number>
  inTransaction: DetachedCtx['inTransaction']
}

/** Returns why a file cannot be read, for operators; null if it can. */
const unreadable = async (path: string): Promise<string | null> => {
  const fileInfo = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (fileInfo instanceof Error)
    return fileInfo.code === 'ENOENT' ? `${path} does not exist.` : `${path} cannot be read: ${fileInfo.message}.`
  if (!fileInfo.isFile()) return `${path} is not a file.`
  return fileInfo.size === 0 ? `${path} is empty.` : null
}

/**
 * Adds a video from local files: copies them to the private sources and queues the job. Fails with
 * NOT_FOUND for an unknown product or lesson, and with VALIDATION_FAILED for invalid options,
 * unreadable files or a full disk.
 */
export const addVideoFiles = async (
  ctx: VideoIntakeCtx,
  by: AuditActor,
  given: VideoInput,
): Promise<{ id: VideoJobId } | Failure> => {
  const { productId, lessonId, path, captions = [], audio = [], chapters = [], name: called, ...rest } = given
  const name = called ?? nameOf({ filename: basename(path) })
  const options: VideoOptions = {
    ...rest,
    chapters,
    captions: withoutPaths(captions),
    audio: withoutPaths(audio),
  }
  const errors = checkVideoOptions(options)
  if (errors) return failure('VALIDATION_FAILED', { errors })
  const files = [
    { field: 'file', path },
    ...captions.map((track) => ({ field: 'captions', path: track.path })),
    ...audio.map((track) => ({ field: 'audio', path: track.path })),
  ]
  let bytes = 0
  for (const file of files) {
    const sentence = await unreadable(file.path)
    if (sentence) return invalidField(file.field, sentence)
    bytes += (await stat(file.path)).size
  }
  const [available, needed] = [await ctx.freeSpace(), spaceNeeded(bytes, { toCopy: true })]
  if (available < needed)
    return invalidField(
      'file',
      `Not enough disk space: ${name} needs about ${formatSize(needed)} for encoding, and ${formatSize(available)} are available in ${dirname(ctx.dataFolder)}.`,
    )

  const storedFiles: StoredSource[] = []
  const storeFile = async (file: { path: string; name: string }) => {
    const source = await ctx.sources.copyIn(ctx.customer.id, file)
    storedFiles.push(source)
    return source
  }
  const storeTracks = async (tracks: readonly TrackFile[]) => {
    const placed = []
    for (const { language, label, path: from } of tracks)
      placed.push({
        language,
        label,
        key: (await storeFile({ path: from, name: basename(from) })).key,
        hash: await hashOfFile(from),
      })
    return placed
  }
  const discard = () => Promise.all(storedFiles.map(({ key }) => ctx.sources.remove(key)))
  try {
    const source = await storeFile({ path, name })
    const placed = { ...options, captions: await storeTracks(captions), audio: await storeTracks(audio) }
    const added = await ctx.inTransaction((tx) => addVideo(tx, by, { productId, lessonId, source, options: placed }))
    if (isFailure(added)) await discard()
    return added
  } catch (error) {
    await discard()
    if (error instanceof SourceStillChanging) return invalidField('file', error.message)
    throw error
  }
}

const withoutPaths = (tracks: readonly TrackFile[]) =>
  tracks.map(({ language, label }) => ({ language, label, key: '' }))

type Ordered = Omit<VideoOrder, 'captions' | 'audio' | 'chapters' | 'keepSource'> &
  Partial<Pick<VideoOrder, 'captions' | 'audio' | 'chapters' | 'keepSource'>>

const fileMissing = (i18n: I18n, field: string) =>
  invalidField(field, i18n._('No completed upload has this ID. Uploads expire after two days.'))

/**
 * Queues finished uploads as a video job. Idempotent: repeated and concurrent requests for the same
 * upload return the same job. Fails with NOT_FOUND for an unknown product or lesson, and with
 * VALIDATION_FAILED for invalid options or an upload that is not complete.
 */
export const queueFinishedUploads = async (
  ctx: VideoIntakeCtx,
  by: AuditActor,
  order: Ordered,
): Promise<{ id: VideoJobId } | Failure> => {
  const folder = uploadFolder(ctx.dataFolder, ctx.customer.id)
  const done = await readFinished(folder, order.upload)
  if (done) return { id: done.job }
  const queued = await ctx.inTransaction((tx) => queueUploads(tx, ctx, by, order))
  if (isFailure(queued)) return queued
  // The job owns the sources from here on. The film is finished last, so that a repeated request
  // can complete an interrupted one.
  for (const id of uploadsOf(order).reverse())
    await finishUpload(folder, id, { bytes: id === order.upload ? queued.bytes : 0, job: queued.id })
  return { id: queued.id }
}

const uploadsOf = ({ upload, captions = [], audio = [] }: Ordered) => [
  upload,
  ...[...captions, ...audio].map((track) => track.upload),
]

/**
 * Returns the job of an upload, creating it once. Sources change only under the uploads' lock and
 * only if no job refers to them, so that the transaction can be retried safely.
 */
const queueUploads = async (
  tx: Ctx,
  ctx: VideoIntakeCtx,
  by: AuditActor,
  order: Ordered,
): Promise<{ id: VideoJobId; bytes: number } | Failure> => {
  const { upload, product, lesson, lessonId, captions = [], audio = [], chapters = [], ...rest } = order
  const { db, customer } = tx
  const i18n = messagesOf(tx.locale)
  await lockUploads(db, customer.id, uploadsOf(order))
  const jobsOf = (id: UploadId) => jobsOfSources(db, customer.id, `${customer.id}/${id}/`)
  const queued = (await jobsOf(upload)).find(({ sourceKey }) => sourceKey.startsWith(`${customer.id}/${upload}/`))
  if (queued) return { id: queued.id, bytes: queued.sourceBytes }
  if (product === undefined && (lesson !== undefined || lessonId !== undefined))
    return invalidField('product', i18n._('Name the product of the lesson.'))
  const target =
    product === undefined ? { productId: null, lessonId: null } : await findTarget(tx, { product, lesson, lessonId })
  if (isFailure(target)) return target

  const storedFiles: StoredSource[] = []
  const linkUpload = async (id: UploadId) => {
    const upload = await readWhole(uploadFolder(ctx.dataFolder, customer.id), id)
    if (!upload || (await jobsOf(id)).length > 0) return null
    const source = await ctx.sources.linkIn(customer.id, { ...upload, id })
    storedFiles.push(source)
    return source
  }
  const discard = () => Promise.all(storedFiles.map(({ key }) => ctx.sources.remove(key)))
  try {
    const source = await linkUpload(upload)
    const tracksOf = async (tracks: typeof captions) => {
      const placed: VideoOptions['captions'] = []
      for (const { language, label = languageLabel(language), upload: id } of tracks) {
        const file = await linkUpload(id)
        if (!file) return null
        const hash = await hashOfFile(ctx.sources.pathOf(file.key))
        placed.push({ language, label, key: file.key, hash })
      }
      return placed
    }
    const [placedCaptions, placedAudio] = [await tracksOf(captions), await tracksOf(audio)]
    if (!source || !placedCaptions || !placedAudio) {
      await discard()
      return fileMissing(i18n, !source ? 'upload' : placedCaptions ? 'audio' : 'captions')
    }
    const options: VideoOptions = { ...withoutUndefined(rest), chapters, captions: placedCaptions, audio: placedAudio }
    const added = await addVideo(tx, by, { ...target, source, options })
    if (isFailure(added)) await discard()
    return isFailure(added) ? added : { id: added.id, bytes: source.bytes }
  } catch (error) {
    await discard()
    throw error
  }
}

/** What adding files needs of the process. */
export interface VideoFileDeps extends DiskSpaceDeps {
  sources: VideoSources
}

/**
 * Returns the dependencies of use cases that add files. They copy between transactions and so have
 * no transaction.
 */
export const videoIntakeDeps = (
  { customer, inTransaction }: DetachedCtx,
  { pool, dataFolder, sources }: VideoFileDeps,
): VideoIntakeCtx => ({
  customer,
  sources,
  dataFolder,
  freeSpace: () => freeDiskSpace({ pool, dataFolder }),
  inTransaction,
})
