import * as z from 'zod/mini'
import type { CaptionTrack } from '#api/modules/catalog/catalog.schema.ts'
import { findVideo, manifestOf, type VideoRow } from '#api/modules/catalog/playables.queries.ts'
import { deriveProducts } from '#api/modules/catalog/products.ts'
import {
  type AuditActor,
  type AuditEntry,
  audit,
  changesOf,
  historyOf,
  refuseOldVersion,
  versionOf,
} from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { withTranslations } from '#api/platform/i18n/translations.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { locale } from '#contract/enumerations.ts'
import type { LessonId, VideoId } from '#contract/ids.ts'
import { supersede, viewJob } from './video-job-states.ts'
import { findJobOfVideo, type NamedVideoJob, readCaptionEdits, requestedPreviewStart } from './video-jobs.queries.ts'
import { retireVideo, subjectOf, subjectOfJob } from './video-jobs.ts'
import {
  listTargetsOf,
  lockTargetVideo,
  lockVideo,
  readVideoPage,
  type ShowingTarget,
  setTargetTranslations,
  setTargetVideo,
  updateVideo,
  type VideoTarget,
} from './videos.queries.ts'
import { findTarget } from './videos.ts'

/** A track as the history has it. */
const captionTrack = z.object({ file: z.optional(z.string()) })

/** A video with what shows it. The translations of its chapters are the first one’s. */
export interface ShownVideo {
  video: VideoRow
  /** Empty for a video that nothing shows. */
  targets: readonly ShowingTarget[]
}

/** Finds a video that is shown, or can be; null without one. */
export const findStoreVideo = async ({ db, customer }: Ctx, id: VideoId): Promise<ShownVideo | null> => {
  const video = await findVideo(db, customer.id, id)
  const targets = video ? await listTargetsOf(db, customer.id, id) : []
  return video && (targets.length > 0 || video.retiredAt === null) ? { video, targets } : null
}

type Chapter = StoreVideo['chapters'][number]

/** Chapters with their titles by language. Translations are listed in the order of the chapters. */
export const chaptersOf = ({ video, targets: [first] }: ShownVideo): Chapter[] =>
  video.chapters.map(({ startSeconds, title }, at) => ({
    startSeconds,
    title,
    translations: Object.fromEntries(
      locale.options.flatMap((language) => {
        const titles = first?.translations[language]?.chapters
        const translated = Array.isArray(titles) ? titles[at] : undefined
        return translated ? [[language, translated]] : []
      }),
    ),
  }))

const versionOfVideo = (shown: ShownVideo) => {
  const { name, captions, previewAsset } = shown.video
  return versionOf([name, captions, previewAsset, chaptersOf(shown)])
}

/** The part of a film that anyone may watch, in seconds; null without one. */
export const previewOf = async ({ db, customer }: Ctx, { video }: ShownVideo): Promise<StoreVideo['preview']> => {
  const { id, durationSeconds, previewAsset, previewSeconds } = video
  if (previewAsset === null || previewSeconds === null) return null
  const startSeconds = video.previewStartSeconds ?? (await requestedPreviewStart(db, customer.id, id))
  return { startSeconds, seconds: Math.min(previewSeconds, durationSeconds - startSeconds) }
}

const notFound = ({ locale }: Ctx) => {
  const i18n = messagesOf(locale)
  return failure('NOT_FOUND', { errors: { id: [i18n._('This video is no longer in the store.')] } })
}

/** The subject of a video in the audit log while nothing shows it. */
const ownSubject = (id: VideoId) => `video:${id}`

/** The subjects of a video in the audit log: what shows it, or else itself. */
const subjectsOf = ({ video, targets }: ShownVideo): [string, ...string[]] => {
  const [first, ...others] = targets.map(({ productCode, lessonId }) => subjectOf(productCode, lessonId))
  return first === undefined ? [ownSubject(video.id)] : [first, ...others]
}

/** Writes one entry into the history of each product that shows the video. */
export const auditShown = async (ctx: Ctx, shown: ShownVideo, entry: Omit<AuditEntry, 'subject'>) => {
  for (const subject of subjectsOf(shown)) await audit(ctx, { ...entry, subject })
}

/**
 * A video as operators edit it, with its stream and the first of what shows it. Failure: NOT_FOUND,
 * also for a video that was replaced or removed.
 */
export const viewVideo = async (ctx: Ctx, id: VideoId) => {
  const { db, customer, clock } = ctx
  const shown = await findStoreVideo(ctx, id)
  if (!shown) return notFound(ctx)
  const { video, targets } = shown
  const job = await findJobOfVideo(db, customer.id, id)
  const { asset, name, durationSeconds, width, height, bytes, drm, captions, audio, createdAt } = video
  const view: Omit<StoreVideo, 'stream'> = {
    id,
    name,
    shownBy: targets.map(({ productCode, lessonId, title }) => ({ productCode, lessonId, title })),
    durationSeconds,
    width,
    height,
    bytes,
    createdAt: new Date(createdAt).toISOString(),
    job: job && viewJob(job, clock.now()),
    isEncrypted: drm !== null,
    captions: captions.map(({ language, label }) => ({ language, label })),
    audio,
    chapters: chaptersOf(shown),
    preview: await previewOf(ctx, shown),
    version: versionOfVideo(shown),
    history: await videoHistory(ctx, shown, job),
  }
  const { productId = null, lessonId = null } = targets[0] ?? {}
  return { view, productId, lessonId, asset, manifest: manifestOf(video), drm }
}

/**
 * Locks a video and what shows it, and checks that the caller saw its present version. Failures:
 * NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT.
 */
export const lockShown = async (ctx: Ctx, id: VideoId, expected: string | null): Promise<ShownVideo | Failure> => {
  const { db, customer } = ctx
  const targets = await listTargetsOf(db, customer.id, id)
  for (const target of targets) await lockTargetVideo(db, customer.id, target)
  if (targets.length === 0) await lockVideo(db, customer.id, id)
  const shown = await findStoreVideo(ctx, id)
  if (!shown) return notFound(ctx)
  const [subject] = subjectsOf(shown)
  return (await refuseOldVersion(ctx, { expected, version: versionOfVideo(shown), subject })) ?? shown
}

/**
 * Gives a video of the library a name; null for the name of its file. `expected` is the value of
 * `If-Match`. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT.
 */
export const renameVideo = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { id, name }: { id: VideoId; name: string | null },
) => {
  const shown = await lockShown(ctx, id, expected)
  if (isFailure(shown)) return shown
  await updateVideo(ctx.db, ctx.customer.id, id, { name })
  const changes = changesOf({ name: shown.video.name }, { name })
  if (Object.keys(changes).length > 0)
    await auditShown(ctx, shown, { actor: by, action: 'video.renamed', changes, detail: { video: id } })
  return viewVideo(ctx, id)
}

/**
 * Retires a video that nothing shows. Its files are deleted some hours later. Failures: NOT_FOUND,
 * and CONFLICT for a video that a product or lesson shows.
 */
export const retireUnshown = async (ctx: Ctx, by: AuditActor, id: VideoId): Promise<Failure | undefined> => {
  const { db, customer } = ctx
  const locked = await lockVideo(db, customer.id, id)
  const shown = locked && (await findStoreVideo(ctx, id))
  if (!shown) return notFound(ctx)
  const i18n = messagesOf(ctx.locale)
  if (shown.targets.length > 0)
    return failure('CONFLICT', { errors: { id: [i18n._('A product or lesson shows this video. Remove it there.')] } })
  await retireVideo(ctx, id, null)
  await audit(ctx, { actor: by, action: 'video.retired', subject: ownSubject(id), detail: { video: id } })
  return undefined
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
 * that shows the video is returned once. What was done while nothing showed it has its own subject.
 */
const videoHistory = async (ctx: Ctx, shown: ShownVideo, job: NamedVideoJob | null) => {
  const entries = new Map<string, Awaited<ReturnType<typeof historyOf>>[number]>()
  const own = [ownSubject(shown.video.id), ...(job?.productId === null ? [subjectOfJob(job)] : [])]
  for (const subject of new Set([...subjectsOf(shown), ...own]))
    for (const entry of await historyOf(ctx, subject, 'video'))
      entries.set(`${entry.at} ${entry.actor} ${entry.action}`, entry)
  return [...entries.values()].sort((one, other) => other.at.localeCompare(one.at))
}

/**
 * The earlier files of captions that the history of a video names, the latest first. Who saved one
 * is null for the captions that were published with the video, and where it is not known.
 */
export const captionVersions = async (
  { db, customer }: Ctx,
  shown: ShownVideo,
  track: CaptionTrack,
): Promise<{ file: string; savedAt: string | null; by: string | null }[]> => {
  const { language } = track
  const fileOf = (stored: unknown) => {
    const parsed = captionTrack.safeParse(stored).data
    return parsed && (parsed.file ?? language)
  }
  const { id } = shown.video
  const subjects = [...subjectsOf(shown), ownSubject(id)]
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
