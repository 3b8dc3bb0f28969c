import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Ctx } from '#api/context.ts'
import type { VideoWish } from '#api/db/schema/videos.ts'
import type { AuditActor } from '#api/domain/desk/audit.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { hashOfFile } from '#api/media/file-hash.ts'
import { type KeptSource, roomNeeded, type Sources, StillGrowing, sizeInWords } from '#api/media/sources.ts'
import { nameOf } from '#api/media/uploads.ts'
import type { LessonId, ProductId, VideoJobId } from '#contract/ids.ts'
import { addVideo } from './add-video.ts'
import { checkWish } from './wish.ts'

/** A track of a language, as a file of this machine. */
export interface TrackFile {
  language: string
  label: string
  path: string
}

export interface GivenVideo extends Omit<VideoWish, 'captions' | 'audio' | 'chapters'> {
  productId: ProductId
  lessonId: LessonId | null
  /** The film, a file of this machine; it stays where it is. */
  path: string
  /** What it is called, when not as its path says. */
  name?: string
  captions?: readonly TrackFile[]
  audio?: readonly TrackFile[]
  chapters?: VideoWish['chapters']
}

export interface GivingEnv {
  customer: Pick<Ctx['customer'], 'id'>
  sources: Sources
  dataFolder: string
  /** Bytes that may be written below the data folder and were promised to nobody else. */
  roomLeft: () => Promise<number>
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

const refused = (field: string, sentence: string) => failure('VALIDATION_FAILED', { errors: { [field]: [sentence] } })

/** Why a file cannot be read, for its owner; null when it can. */
const unreadable = async (path: string): Promise<string | null> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error)
    return found.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${found.message}.`
  if (!found.isFile()) return `${path} is not a file.`
  return found.size === 0 ? `${path} is empty.` : null
}

/** Gives a video from files of this machine: they are copied to the private place of sources, and the job is queued. */
export const giveVideo = async (
  env: GivingEnv,
  by: AuditActor,
  given: GivenVideo,
): Promise<{ id: VideoJobId } | Failure> => {
  const { productId, lessonId, path, captions = [], audio = [], chapters = [], name: called, ...rest } = given
  const name = called ?? nameOf({ filename: basename(path) })
  const wish: VideoWish = { ...rest, chapters, ...{ captions: withoutPaths(captions), audio: withoutPaths(audio) } }
  const errors = checkWish(wish)
  if (errors) return failure('VALIDATION_FAILED', { errors })
  const files = [
    { field: 'file', path },
    ...captions.map((track) => ({ field: 'captions', path: track.path })),
    ...audio.map((track) => ({ field: 'audio', path: track.path })),
  ]
  let bytes = 0
  for (const file of files) {
    const sentence = await unreadable(file.path)
    if (sentence) return refused(file.field, sentence)
    bytes += (await stat(file.path)).size
  }
  const [left, needed] = [await env.roomLeft(), roomNeeded(bytes, { toCopy: true })]
  if (left < needed)
    return refused(
      'file',
      `The disk is too full: ${name} needs about ${sizeInWords(needed)} while it is made into a stream, and ${dirname(env.dataFolder)} has ${sizeInWords(left)} left that other files do not need.`,
    )

  const kept: KeptSource[] = []
  const keep = async (file: { path: string; name: string }) => {
    const source = await env.sources.keep(env.customer.id, file)
    kept.push(source)
    return source
  }
  const keepTracks = async (tracks: readonly TrackFile[]) => {
    const placed = []
    for (const { language, label, path: from } of tracks)
      placed.push({
        ...{ language, label, key: (await keep({ path: from, name: basename(from) })).key },
        hash: await hashOfFile(from),
      })
    return placed
  }
  const discard = () => Promise.all(kept.map(({ key }) => env.sources.remove(key)))
  try {
    const source = await keep({ path, name })
    const placed = { ...wish, captions: await keepTracks(captions), audio: await keepTracks(audio) }
    const added = await env.inTransaction((ctx) => addVideo(ctx, by, { productId, lessonId, source, wish: placed }))
    if (isFailure(added)) await discard()
    return added
  } catch (error) {
    await discard()
    if (error instanceof StillGrowing) return refused('file', error.message)
    throw error
  }
}

const withoutPaths = (tracks: readonly TrackFile[]) =>
  tracks.map(({ language, label }) => ({ language, label, key: '' }))
