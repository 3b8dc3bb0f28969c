import * as z from 'zod/mini'
import type { CaptionTrack } from '#api/modules/catalog/catalog.schema.ts'
import { findProductIdByCode } from '#api/modules/catalog/edit-products.queries.ts'
import { deriveProducts } from '#api/modules/catalog/products.ts'
import { type AuditActor, audit, historyOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { withTranslations } from '#api/platform/i18n/translations.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import { locale } from '#contract/enumerations.ts'
import type { LessonId, VideoId } from '#contract/ids.ts'
import { makePoster } from './pictures.ts'
import { supersede } from './video-job-states.ts'
import { readCaptionEdits } from './video-jobs.queries.ts'
import { retireVideo, subjectOf } from './video-jobs.ts'
import {
  listTargetsOf,
  lockProduct,
  lockTargetVideo,
  lockVideo,
  type NamedVideoTarget,
  readPosterCandidates,
  readVideoPage,
  setPoster,
  setTargetTranslations,
  setTargetVideo,
  type VideoTarget,
} from './videos.queries.ts'
import { findTarget } from './videos.ts'

interface PosterCtx {
  storage: MediaStorage
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

interface PosterTarget {
  product: string
  lesson?: number | undefined
}

/** A track as the history has it. */
const captionTrack = z.object({ file: z.optional(z.string()) })

const without = (sentence: string) => failure('NOT_FOUND', { errors: { poster: [sentence] } })

const candidatesOf = async ({ db, customer }: Ctx, target: NamedVideoTarget) => {
  const candidates = await readPosterCandidates(db, customer.id, target)
  return candidates.length > 0
    ? candidates
    : without(`${target.productCode} has no video with pictures to choose from.`)
}

/**
 * Returns the public media keys of the poster candidates of a product's or lesson's video. Fails
 * with NOT_FOUND if there is no such product, lesson or candidate.
 */
export const listPosters = async (ctx: Ctx, video: PosterTarget): Promise<string[] | Failure> => {
  const posters = await findPosters(ctx, video)
  return isFailure(posters) ? posters : posters.candidates
}

const findPosters = async (ctx: Ctx, video: PosterTarget) => {
  const target = await findTarget(ctx, video)
  if (isFailure(target)) return target
  const candidates = await candidatesOf(ctx, target)
  return isFailure(candidates) ? candidates : { candidates, code: target.productCode }
}

/**
 * Sets a poster candidate, counted from 1, as the product's poster. Fails with NOT_FOUND if there
 * is no such product, lesson or candidate.
 */
export const choosePoster = async (
  { storage, inTransaction }: PosterCtx,
  by: AuditActor,
  poster: PosterTarget & { number: number },
): Promise<{ url: string } | Failure> => {
  const posters = await inTransaction((ctx) => findPosters(ctx, poster))
  if (isFailure(posters)) return posters
  const { candidates, code } = posters
  const key = candidates[poster.number - 1]
  if (!key) return without(`There are ${candidates.length} pictures: choose one from 1 to ${candidates.length}.`)
  const picture = await makePoster(storage, key)
  if (!picture) return without(`The picture ${poster.number} is not in the storage any more.`)
  return inTransaction(async (ctx) => {
    const { db, customer } = ctx
    const productId = await findProductIdByCode(db, customer.id, code)
    if (!productId) return without(`${code} no longer exists.`)
    await lockProduct(db, customer.id, productId)
    await setPoster(db, customer.id, productId, picture)
    await audit(ctx, { actor: by, action: 'poster.chosen', subject: `product:${code}`, detail: { key } })
    return { url: picture.url }
  })
}

/** Returns a page of the videos that can be shown. Failure: VALIDATION_FAILED for the cursor. */
export const pageVideos = async (
  { db, customer }: Ctx,
  { q, cursor, size }: { q: string; cursor?: string | undefined; size: number },
) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const { items, nextCursor } = keysetPageOf(await readVideoPage(db, customer.id, { q, after, size }), size)
  return {
    items: items.map(({ createdAt, ...video }) => ({ ...video, createdAt: new Date(createdAt).toISOString() })),
    nextCursor,
  }
}

const isSameTarget = (one: VideoTarget, other: VideoTarget) =>
  one.productId === other.productId && one.lessonId === other.lessonId

const listIn = (texts: string | readonly string[] | undefined) => (typeof texts === 'string' ? null : (texts ?? null))

/**
 * Shows a video of the store in another product or lesson as well, in place of the one there, and
 * cancels what is being encoded for it. Failure: NOT_FOUND, also for a video that was replaced or
 * removed meanwhile.
 */
export const shareVideo = async (
  ctx: Ctx,
  by: AuditActor,
  { id, ...where }: { id: VideoId; product: string; lessonId?: LessonId | undefined },
): Promise<Failure | undefined> => {
  const { db, customer } = ctx
  const target = await findTarget(ctx, where)
  if (isFailure(target)) return target
  const { productId, productCode, lessonId } = target
  await supersede(ctx, productId, lessonId)
  const before = await lockTargetVideo(db, customer.id, target)
  const video = await lockVideo(db, customer.id, id)
  const i18n = messagesOf(ctx.locale)
  if (!video || !before || video.retiredAt !== null)
    return failure('NOT_FOUND', { errors: { id: [i18n._('This video is no longer in the store.')] } })
  if (before.videoId === id) return undefined
  const sources = await listTargetsOf(db, customer.id, id)
  await setTargetVideo(db, customer.id, target, id)
  // The translated titles of chapters are kept with what shows the video.
  const own = (await listTargetsOf(db, customer.id, id)).find((shown) => isSameTarget(shown, target))
  const titles = locale.options.map((language) => [
    language,
    { chapters: listIn(sources[0]?.translations[language]?.chapters) },
  ])
  const translations = withTranslations(own?.translations ?? {}, Object.fromEntries(titles))
  await setTargetTranslations(db, customer.id, target, translations)
  if (before.videoId) await retireVideo(ctx, before.videoId, lessonId ?? productId)
  await deriveProducts(ctx, [productId])
  const detail = { video: id, from: sources.map((shown) => subjectOf(shown.productCode, shown.lessonId)) }
  await audit(ctx, { actor: by, action: 'video.shared', subject: subjectOf(productCode, lessonId), detail })
  return undefined
}

/**
 * What staff did with a video, newest first. A change that stands in the history of each product
 * that shows the video is returned once.
 */
export const videoHistory = async (ctx: Ctx, targets: readonly NamedVideoTarget[]) => {
  const entries = new Map<string, Awaited<ReturnType<typeof historyOf>>[number]>()
  for (const { productCode, lessonId } of targets)
    for (const entry of await historyOf(ctx, subjectOf(productCode, lessonId), 'video'))
      entries.set(`${entry.at} ${entry.actor} ${entry.action}`, entry)
  return [...entries.values()].sort((one, other) => other.at.localeCompare(one.at))
}

/**
 * The earlier files of captions that the history of a video names, the latest first. Who saved one
 * is null for the captions that were published with the video, and where it is not known.
 */
export const captionVersions = async (
  { db, customer }: Ctx,
  { id, targets, track }: { id: VideoId; targets: readonly NamedVideoTarget[]; track: CaptionTrack },
): Promise<{ file: string; savedAt: string | null; by: string | null }[]> => {
  const { language } = track
  const fileOf = (stored: unknown) => {
    const parsed = captionTrack.safeParse(stored).data
    return parsed && (parsed.file ?? language)
  }
  const subjects = targets.map(({ productCode, lessonId }) => subjectOf(productCode, lessonId))
  const edits = await readCaptionEdits(db, customer.id, { id, subjects, language })
  const seen = new Set([track.file ?? language])
  return edits.flatMap(({ from }, at) => {
    const file = fileOf(from)
    if (!file || seen.has(file)) return []
    seen.add(file)
    // A video that several products show has an entry in the history of each.
    const saved = edits.slice(at + 1).find(({ to }) => fileOf(to) === file)
    return [{ file, savedAt: saved ? new Date(saved.at).toISOString() : null, by: saved?.actor ?? null }]
  })
}
