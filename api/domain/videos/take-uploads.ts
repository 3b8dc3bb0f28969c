import type { Ctx } from '#api/context.ts'
import { jobsOfSources, lockUploads } from '#api/db/queries/video-jobs.ts'
import type { VideoWish } from '#api/db/schema/videos.ts'
import type { AuditActor } from '#api/domain/desk/audit.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { hashOfFile } from '#api/media/file-hash.ts'
import { languageLabel } from '#api/media/package/languages.ts'
import type { KeptSource } from '#api/media/sources.ts'
import { finishUpload, readFinished, readWhole, uploadFolder } from '#api/media/uploads.ts'
import type { VideoJobId } from '#contract/ids.ts'
import type { VideoOrder } from '#contract/videos.ts'
import { addVideo } from './add-video.ts'
import { findTarget } from './find-target.ts'
import type { GivingEnv } from './give-video.ts'

type Ordered = Omit<VideoOrder, 'captions' | 'audio' | 'chapters' | 'keepSource'> &
  Partial<Pick<VideoOrder, 'captions' | 'audio' | 'chapters' | 'keepSource'>>

const notThere = (field: string) =>
  failure('VALIDATION_FAILED', {
    errors: {
      [field]: [
        'No finished upload has this ID. Upload the whole file first, or again if it is more than two days old.',
      ],
    },
  })

/**
 * Queues finished uploads to become a stream. Asking twice for the same upload answers the same job: a client that missed the first
 * answer may ask again, and several may ask at once.
 */
export const takeUploads = async (
  env: GivingEnv,
  by: AuditActor,
  order: Ordered,
): Promise<{ id: VideoJobId } | Failure> => {
  const folder = uploadFolder(env.dataFolder, env.customer.id)
  const done = await readFinished(folder, order.upload)
  if (done) return { id: done.job as VideoJobId }
  const taken = await env.inTransaction((ctx) => queueUploads(ctx, env, by, order))
  if (isFailure(taken)) return taken
  // From here on the sources are the job's. The film comes last: whoever asks again meanwhile brings this to its end.
  for (const id of uploadsOf(order).reverse())
    await finishUpload(folder, id, { bytes: id === order.upload ? taken.bytes : 0, job: taken.id })
  return { id: taken.id }
}

const uploadsOf = ({ upload, captions = [], audio = [] }: Ordered) => [
  upload,
  ...[...captions, ...audio].map((track) => track.upload),
]

/**
 * The job of an upload, one for all who ask. Sources are brought in and given up under the uploads' lock alone and only where no job
 * names them, so that the transaction may run again, and nobody takes away what another one has just queued.
 */
const queueUploads = async (
  ctx: Ctx,
  env: GivingEnv,
  by: AuditActor,
  order: Ordered,
): Promise<{ id: VideoJobId; bytes: number } | Failure> => {
  const { upload, product, lesson, captions = [], audio = [], chapters = [], ...rest } = order
  const { db, customer } = ctx
  await lockUploads(db, customer.id, uploadsOf(order))
  const jobsOf = (id: string) => jobsOfSources(db, customer.id, `${customer.id}/${id}/`)
  const queued = (await jobsOf(upload)).find(({ sourceKey }) => sourceKey.startsWith(`${customer.id}/${upload}/`))
  if (queued) return { id: queued.id as VideoJobId, bytes: queued.sourceBytes }
  const target = await findTarget(ctx, { product, lesson })
  if (isFailure(target)) return target

  const adopted: KeptSource[] = []
  const adopt = async (id: string) => {
    const whole = await readWhole(uploadFolder(env.dataFolder, customer.id), id)
    if (!whole || (await jobsOf(id)).length > 0) return null
    const source = await env.sources.adopt(customer.id, { ...whole, id })
    adopted.push(source)
    return source
  }
  const discard = () => Promise.all(adopted.map(({ key }) => env.sources.remove(key)))
  try {
    const source = await adopt(upload)
    const tracksOf = async (tracks: typeof captions) => {
      const placed: VideoWish['captions'] = []
      for (const { language, label = languageLabel(language), upload: id } of tracks) {
        const file = await adopt(id)
        if (!file) return null
        const hash = await hashOfFile(env.sources.pathOf(file.key))
        placed.push({ language, label, key: file.key, hash })
      }
      return placed
    }
    const [placedCaptions, placedAudio] = [await tracksOf(captions), await tracksOf(audio)]
    if (!source || !placedCaptions || !placedAudio) {
      await discard()
      return notThere(!source ? 'upload' : placedCaptions ? 'audio' : 'captions')
    }
    const wish: VideoWish = { ...withoutGaps(rest), chapters, captions: placedCaptions, audio: placedAudio }
    const added = await addVideo(ctx, by, { ...target, source, wish })
    if (isFailure(added)) await discard()
    return isFailure(added) ? added : { id: added.id, bytes: source.bytes }
  } catch (error) {
    await discard()
    throw error
  }
}

type Plain = Omit<VideoWish, 'captions' | 'audio' | 'chapters'>
const withoutGaps = (wish: { [Name in keyof Plain]: Plain[Name] | undefined }) =>
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)) as Plain
